import { expect, it } from 'vitest';
import { isLinkList, isUnhelpful } from '../../../src/models/extractive/unhelpful-text.ts';

it.each([
  'https://harbour.example/downloads/tariffs/2021/complete-list.pdf',
  'Mooring and berths',
  '3.1 Mooring and berths',
  '7.12.',
  '/_/ |_|/_/  |_|____//_/    /_/ ____/ |__/|__/ a',
])('recognizes a text that answers no question: %s', (text) => {
  expect(isUnhelpful(text)).toBe(true);
});

it.each([
  'Berths are free in winter.',
  'Opening hours: 9 to 5',
  'Last inspection: May 2021',
  'The study of Moreau et al. in 2014 found that tidal pools warm by 2 degrees.',
  'Send the form to https://harbour.example/forms and keep a copy.',
  '係留は無料です。',
  'Aux armes!',
  'To show all the berths of the north pier, run harbour berths north',
])('keeps a text that can be an answer: %s', (text) => {
  expect(isUnhelpful(text)).toBe(false);
});

it('recognizes a list of links', () => {
  const links = ['Tariffs (https://harbour.example/tariffs/2021/complete)', 'Berths'];
  expect(isLinkList(links)).toBe(true);
  expect(isLinkList(['Berths', 'Cranes', 'https://harbour.example'])).toBe(false);
});
