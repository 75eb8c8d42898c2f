import { expect, it } from 'vitest';
import { isLinkList, isUnhelpful } from '../../../src/models/extractive/unhelpful-text.ts';

it.each([
  'Moreau, L., and Tan, W. (2014). Tidal pools of the north coast. Journal of Shores, vol. 12, pp. 4-19.',
  '[12] K. Okafor et al., Proceedings of the Harbour Conference, 2009, doi:10.5555/123',
  'https://harbour.example/downloads/tariffs/2021/complete-list.pdf',
  'Lighthouses of the coast ........ 41',
  'Mooring and berths',
  '3.1 Mooring and berths',
  '2024-05-01 08:15:00,114 INFO 1445 harbour service: version 2.1',
  '7.12.',
  'If you wanted the rest of the pages to be dropped, you could instead run',
  'For example, the following command shows the berths of the north pier:',
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
