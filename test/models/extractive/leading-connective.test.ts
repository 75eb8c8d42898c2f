import { expect, it } from 'vitest';
import { withoutLeadingConnective } from '../../../src/models/extractive/leading-connective.ts';

it.each([
  ['However, guests pay.', 'Guests pay.'],
  ['In addition, élan is needed.', 'Élan is needed.'],
  ['Sin embargo, los perros pagan.', 'Los perros pagan.'],
  ['Кроме того, гости платят.', 'Гости платят.'],
  ['此外，客人付款。', '客人付款。'],
  ['However late it is, ring the bell.', 'However late it is, ring the bell.'],
  [
    'Also known as the Old Harbour, it opened in 1990.',
    'Also known as the Old Harbour, it opened in 1990.',
  ],
  ['However, ', 'However, '],
])('%s', (text, expected) => {
  expect(withoutLeadingConnective(text)).toBe(expected);
});
