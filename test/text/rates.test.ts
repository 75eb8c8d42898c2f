import { expect, it } from 'vitest';
import { withRatesOf } from '../../src/text/rates.ts';

it.each([
  ['How much is an e-bike for one day?', 'E-bike | Per day: 39', 'How much is an e-bike per day?'],
  ['A kayak for an Hour?', '9 EUR per hour', 'A kayak per hour?'],
  ['Was kostet ein Rad für einen Tag?', 'Rad | Je Tag: 18', 'Was kostet ein Rad je tag?'],
  ['Was kostet es für ein Jahr?', 'Preis pro Jahr', 'Was kostet es pro jahr?'],
  ['Combien pour une heure ?', 'Prix par heure', 'Combien par heure ?'],
  ['¿Cuánto por un día?', 'Precio por día', '¿Cuánto por día?'],
  ['Parking for a night', 'Parking costs 12 EUR per night.', 'Parking per night'],
])('writes "%s" as the text: %s', (query, text, expected) => {
  expect(withRatesOf(['Other.', text], query)).toBe(expected);
});

it.each([
  ['A bike for one day?', 'The price per hour is 4 EUR.'],
  ['A bike for one day?', 'Per day 39 EUR, for one day on Sundays 45 EUR.'],
  ['A bike for two days?', 'Per day 39 EUR.'],
  ['Why is it closed one day a week?', 'Per day 39 EUR.'],
  ['Was kostet ein Rad for one day und eine Nacht im Zelt?', 'Pro Tag 39 EUR.'],
  ['Was kostet ein Rad für den Tag?', 'Pro Tag 39 EUR.'],
])('leaves "%s" unchanged', (query, text) => {
  expect(withRatesOf([text], query)).toBe(query);
});
