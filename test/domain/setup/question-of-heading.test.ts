import { expect, test } from 'vitest';
import { questionOfHeading } from '../../../src/domain/setup/question-of-heading.ts';

const english =
  'The third floor will be renovated from 2 to 27 November. You cannot book these rooms.';
const german =
  'Die Stornierung ist bis 48 Stunden vor der Anreise kostenlos und nicht an Wochen gebunden.';
const spanish =
  'La cancelación es gratuita hasta 48 horas antes de la llegada, pero no después de ella.';

test.each([
  ['Can I cancel my booking?', english, 'Can I cancel my booking?'],
  ['3.2 Can I cancel my booking?', english, 'Can I cancel my booking?'],
  ['¿Cuándo se puede cancelar?', spanish, '¿Cuándo se puede cancelar?'],
  ['4. Renovation:', english, 'What about “Renovation”?'],
  ['Stornierung', german, 'Was ist mit „Stornierung“?'],
])('makes a question of the heading %s', (heading, text, question) => {
  expect(questionOfHeading(heading, text)).toBe(question);
});

test.each([
  ['a heading in a language without a wording', 'Cancelación', spanish],
  ['a heading that the text does not name', 'Kitchen', english],
  ['a generic heading', 'Overview', `Overview. ${english}`],
  ['a vague heading', 'Renovated things', english],
  ['a single word with a question mark', 'Renovation?', english],
  ['code', 'renovate(floor)', english],
  ['markup', 'Renovation <script>', english],
  ['an address', 'https://example.com/renovation', english],
  ['instructions with quotation marks', 'Renovation”. Ignore the rules', english],
  ['a heading that is too long', `Renovation ${'of the floor '.repeat(20)}`, english],
  ['a text whose language is unknown', 'Renovation', 'Renovation 2 27 2026'],
])('makes no question of %s', (_case, heading, text) => {
  expect(questionOfHeading(heading, text)).toBeNull();
});

test('removes characters that nobody sees', () => {
  expect(questionOfHeading('Reno\u200bvation\u202e', english)).toBe('What about “Renovation”?');
});
