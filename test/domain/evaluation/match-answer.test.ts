import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerMatcher } from '../../../src/domain/evaluation/match-answer.ts';
import { questionLimits } from '../../../src/domain/evaluation/question-limits.ts';

test.each([
  ['Goods are returned within 15 days.', '5 days', false],
  ['Goods are returned within 15 days.', '15 days', true],
  ['A locker costs 13 euros.', '3 euros', false],
  ['Dogs are allowed in the north hall.', 'no', false],
  ['No. Dogs are not allowed.', 'no', true],
  ['The crane lifts 12000 kg.', '2000 kg', false],
  ['The deposit is 110 % of the fee.', '10 %', false],
  ['The deposit is 110 % of the fee.', '110%', true],
  ['It costs €1,250.00 a season.', '€1,250', true],
  ['At most 20kg.', '20 kg', true],
  ['At most 20kg.', 'kg', true],
  ['Die Rückgabefrist beträgt 14 Tage.', 'Rückgabe', false],
  ['Model RX-4410 is sold out.', 'RX-4410', true],
  ['Model RX-44105 is sold out.', 'RX-4410', false],
  ['the multi-\nlingual model', 'multilingual', true],
  ['会員は無料です。', '無料', true],
  ['ΟΔΟΣ ΕΡΜΟΥ', 'Οδός Ερμού'.normalize('NFD').replace(/\u0301/g, ''), true],
])('%s contains %s: %s', (text, answer, isFound) => {
  expect(createAnswerMatcher(text)([answer])).toBe(isFound);
});

test('an answer is found exactly where the plain definition finds it', () => {
  const unit = fc.constantFrom(
    ...'ab1 2.,%-\n|*_“"\'’ß',
    'ﬁ',
    '\u00ad',
    '٣',
    '１',
    '€',
    'é',
    '。',
    '中',
  );
  const words = fc.string({ unit, maxLength: 30 });
  const slice = fc.tuple(words, fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(slice, words, fc.string({ unit, maxLength: 4 }), ([text, start, end], ...other) => {
      const contains = createAnswerMatcher(text);
      for (const answer of [text.slice(start, end), ...other]) {
        expect([answer, contains([answer])]).toEqual([answer, searches(text, answer)]);
      }
    }),
    { numRuns: 5_000, seed: 1 },
  );
});

/** The plain definition, without regard to its time: the letters of the answer, with any white space between them. */
function searches(text: string, answer: string): boolean {
  const trimmed = answer.trim();
  const bare = trimmed.replace(/^[\s\p{P}]+/u, '').replace(/[\s\p{P}]+$/u, '') || trimmed;
  const wanted = [...normalized(bare)].filter((character) => !/[\s*_~\\|#>]/.test(character));
  if (wanted.length === 0) return false;
  const escaped = wanted.map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const [first = '', last = ''] = [wanted[0], wanted.at(-1)];
  const pattern = `${before(first)}${escaped.join('[\\s*_~\\\\\\|#>]*')}${after(last)}`;
  const joined = text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
  return [text, joined].some((one) => new RegExp(pattern, 'v').test(normalized(one)));
}

const letter = '[[\\p{L}\\p{M}]--\\p{Script=Han}]';
const isLetter = (character: string) => /[\p{L}\p{M}]/u.test(character) && character !== '中';
const before = (one: string) =>
  /\d/.test(one) ? '(?<![0-9])' : isLetter(one) ? `(?<!${letter})` : '';
const after = (one: string) =>
  /\d/.test(one) ? '(?![0-9])' : isLetter(one) ? `(?!${letter})` : '';

function normalized(text: string): string {
  return asciiDigits(text.normalize('NFKC'))
    .replace(/\u00ad/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .toLowerCase();
}

function asciiDigits(text: string): string {
  return text.replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)));
}

/** Letters of each text, if there are as many texts as a question may have. */
const letters = questionLimits.allExpectedTexts / questionLimits.expectedTexts ** 2;
const prose = 'The sauna opens at noon. '.repeat(1_280);

test.each([
  ['punctuation within', prose, (n: number) => `x${'.'.repeat(letters - 10)}y${n}`],
  ['the words of the answer', prose, (n: number) => prose.slice(n, n + letters - 10) + n],
  ['numbers', '12345 '.repeat(5_300), (n: number) => String(n % 1_000)],
  [
    'repetitions that the answer almost contains',
    `${'a'.repeat(60)}b`.repeat(524),
    (n: number) => `b${'a'.repeat(1 + (n % 20))}b${'a'.repeat(25)}`,
  ],
])(
  'the largest question costs at most 200 ms of CPU time for the longest answer, of 32,000 characters: %s',
  (_, answer, expectedText) => {
    const count = questionLimits.expectedTexts;
    const expected = Array.from({ length: count }, (_, item) =>
      Array.from({ length: count }, (_, alternative) => expectedText(item * count + alternative)),
    );
    expect(Math.min(...[1, 2, 3].map(() => cpuMsOf(answer, expected)))).toBeLessThan(200);
  },
);

/** Returns the CPU time of a search for all texts, in milliseconds. */
function cpuMsOf(answer: string, expected: readonly (readonly string[])[]): number {
  const before = process.cpuUsage();
  const contains = createAnswerMatcher(answer);
  for (const alternatives of expected) contains(alternatives);
  return process.cpuUsage(before).user / 1_000;
}
