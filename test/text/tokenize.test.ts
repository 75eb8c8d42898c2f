import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryTerms } from '../../src/text/query-terms.ts';
import { foldedWords } from '../../src/text/terms.ts';
import { fold, tokenize } from '../../src/text/tokenize.ts';

/** Returns whether the query `left` and the text `right` have a common term. */
function haveCommonTerm(left: string, right: string): boolean {
  const terms = new Set(tokenize(right).flat());
  return queryTerms(left).some((term) => terms.has(term));
}

test.each([
  ['STRASSE', 'Straße'],
  ['élève', 'eleve'],
  ['Ελλάδα', 'ΕΛΛΑΔΑ'],
  ['Ёлка', 'елка'],
  ['İSTANBUL', 'istanbul'],
  ['fi\u0301nal', 'ﬁnal'],
  ['أحمد', 'احمد'],
  ['كِتَاب', 'كتاب'],
  ['ایران', 'إيران'],
  ['١٢٣', '123'],
])('%s finds %s, regardless of case, accents and spelling variants', (query, text) => {
  expect(haveCommonTerm(query, text)).toBe(true);
});

test.each([
  ['What are the invoices for?', 'This is the invoice that was sent.'],
  ['Wie lange gelten Kündigungsfristen?', 'Die Kündigungsfrist beträgt drei Monate.'],
  ['договоры', 'В договоре указано'],
  ['reservaciones', 'La reservación se paga'],
])('an inflected word finds another form: %s', (query, text) => {
  expect(haveCommonTerm(query, text)).toBe(true);
});

test.each([
  ['東京タワー', '昨日は東京タワーへ行きました'],
  ['退款政策', '我们的退款政策如下'],
  ['환불', '환불은 14일 이내에 가능합니다'],
  ['ราคา', 'สินค้านี้ราคาเท่าไหร่'],
])('a word is found in text without spaces: %s', (query, text) => {
  expect(haveCommonTerm(query, text)).toBe(true);
});

test.each(['XJ-9000', 'xj9000', 'XJ 9000', 'xj_9000'])(
  'an identifier is found in every spelling: %s',
  (query) => {
    expect(haveCommonTerm(query, 'Replace the filter of the XJ-9000 yearly')).toBe(true);
    expect(haveCommonTerm(query, 'Part number xj9000.')).toBe(true);
  },
);

test.each([
  ['v2.4.1', 'Release 2.4.1'],
  ['2.4.1', 'Release v2.4.1'],
])('a version is found with and without its v: %s', (query, text) => {
  expect(haveCommonTerm(query, text)).toBe(true);
});

test('an identifier is found by its parts, and a URL by its host', () => {
  expect(haveCommonTerm('9000', 'the XJ-9000')).toBe(true);
  expect(haveCommonTerm('example.com', 'write to jane.doe@example.com')).toBe(true);
});

test.each([
  ['10,000', '10000'],
  ['1.234.567', '1,234,567'],
  ['3.5', '3,5'],
  ['12/08/2007', '12-08-2007'],
])('the number %s finds %s', (query, text) => {
  expect(queryTerms(query)[0]).toBe(queryTerms(text)[0]);
});

test('Vietnamese syllables with different accents are distinguished, and are found without accents', () => {
  const [má] = tokenize('má của Việt Nam độc lập');
  const [mà] = tokenize('mà của Việt Nam độc lập');
  expect(má).toContain('má');
  expect(mà).not.toContain('má');
  expect(má).toContain('ma');
});

test('English words produce one term each, so that their weight is not doubled', () => {
  const tokens = tokenize('The committee has reviewed the application that was sent by them.');
  expect(tokens.every((token) => token.length === 1)).toBe(true);
});

test('folding is idempotent', () => {
  const text = 'Ǆ ﬁ ΣΊΣΥΦΟΣ İ ẞ ١٢٣ ہے آپ Ḝ가각';
  expect(fold(fold(text))).toBe(fold(text));
});

test.each([
  ['a word of a million letters', 'a'.repeat(1_000_000)],
  ['alternating letters and digits', 'a1'.repeat(300_000)],
  ['alternating letters and dots', 'a.'.repeat(300_000)],
  ['digits and commas', '1,'.repeat(300_000)],
  ['a pile of accents', `a${'\u0301'.repeat(500_000)}`],
  ['Thai without end', 'ก'.repeat(300_000)],
  ['emoji', '👩‍👩‍👧‍👦'.repeat(50_000)],
  ['lone surrogates and NUL', '\ud800\u0000\udc00'.repeat(100_000)],
])('stays fast and produces short terms on %s', (_, text) => {
  // If the time grew quadratically, this would exceed the time limit of the test.
  const longest = Math.max(0, ...queryTerms(text).map((term) => term.length));
  expect(longest).toBeLessThanOrEqual(80);
  expect(queryTerms(text).length).toBeLessThanOrEqual(64);
});

describe('ASCII text', () => {
  // ASCII text uses a fast method, and text with accents a slower one. An accented word after the ASCII text must not
  // change the words of that text.
  test.each([
    'The X200 costs 1,299.50 euros, v2.10.3-beta (see A_B/c@d).',
    "don't  stop: 007 ...5. 3,,4 a1b2 FOO\u0000bar\tbaz~!",
    '',
    '9',
    ' . , 1.',
  ])('has the same words as before an accented word: %j', (text) => {
    expect(foldedWords(text)).toEqual(foldedWords(`${text} é`).slice(0, -1));
    expect(fold(text)).toBe(fold(`${text}é`).slice(0, -1));
  });
});

test('a text has the same tokens if a character outside ASCII follows that is in no token', () => {
  const pieces = [
    'a',
    'Bc',
    '7',
    '10',
    ' ',
    '\n',
    '-',
    '_',
    '.',
    ',',
    ':',
    '/',
    '@',
    '+',
    '#',
    '&',
    "'",
    '!',
    'runs',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      expect(tokenize(`${text} …`)).toEqual(tokenize(text));
    }),
    { numRuns: 500 },
  );
});
