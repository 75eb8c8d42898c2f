import { expect, it } from 'vitest';
import { spellCompoundsAsIn } from '../../src/text/compound-spelling.ts';

it.each([
  ['What time is checkout?', 'Check-out is until 11 a.m.', 'What time is check-out?'],
  ['wifi password', 'The Wi-Fi is free.', 'wi-fi password'],
  ['my e-mail', 'Your email is private.', 'my email'],
  ['how do i log in to it', 'The login is by e-mail.', 'how do i login to it'],
  ['is wi fi free', 'The wifi is free.', 'is wifi free'],
  ['is signup open', 'To sign up, press the button.', 'is sign up open'],
  ['co-operation', 'Cooperation pays.', 'cooperation'],
])('writes %s as in: %s', (query, text, expected) => {
  expect(spellCompoundsAsIn(query, [text])).toBe(expected);
});

it.each([
  ['a word of the texts', 'What time is checkout?', 'The checkout. Check-out is at 11.'],
  ['words that the texts contain apart', 'how do i log in', 'To log in, enter the login.'],
  ['a word that the text contains in other words', 'signup', 'The assign upset him.'],
  ['short words', 'an e-l or i t', 'El is it.'],
  ['words that no text contains', 'co-operation with wi-fi', 'Nothing.'],
  ['an empty query', '', 'Check-out is at 11.'],
  ['numbers', 'covid-19 in 2020', 'covid19 cases'],
])('leaves %s unchanged', (_, query, text) => {
  expect(spellCompoundsAsIn(query, [text])).toBe(query);
});
