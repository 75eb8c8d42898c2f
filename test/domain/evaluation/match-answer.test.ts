import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerMatcher } from '../../../src/domain/evaluation/match-answer.ts';
import { questionLimits } from '../../../src/domain/evaluation/question-limits.ts';
import { createSubstringIndex } from '../../../src/text/substring-index.ts';

test('a substring index contains exactly what the texts contain', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', 'é', '中', '\ud83d', '\u0000'), maxLength: 40 }),
  );
  const slice = fc.tuple(text, text, fc.nat(40), fc.nat(40));
  fc.assert(
    fc.property(slice, text, ([one, other, start, end], part) => {
      const contains = createSubstringIndex([one, other]);
      for (const wanted of [part, part.slice(0, 3), one.slice(start, end), other.slice(start)]) {
        expect(contains(wanted)).toBe(one.includes(wanted) || other.includes(wanted));
      }
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test('an answer is found exactly if a search of the normalized text finds it', () => {
  const unit = fc.constantFrom(...'ab1 2.,%-\n|*_“"\'’ß', 'ﬁ', '\u00ad', '٣', '１', '€', 'é', '。');
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

/** The plain definition, without regard to its time. */
function searches(text: string, answer: string): boolean {
  const trimmed = answer.trim();
  const bare = trimmed.replace(/^[\s\p{P}]+/u, '').replace(/[\s\p{P}]+$/u, '') || trimmed;
  if (/^[\d.,%$€£]{1,3}$/.test(bare)) {
    const escaped = bare.replace(/[.$]/g, '\\$&');
    return new RegExp(`(?<!\\d)${escaped}(?!\\d)`).test(asciiDigits(text.normalize('NFKC')));
  }
  const joined = text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
  const wanted = normalized(bare);
  return wanted !== '' && [text, joined].some((one) => normalized(one).includes(wanted));
}

function normalized(text: string): string {
  return asciiDigits(text.normalize('NFKC'))
    .replace(/[\s*_~\\|#>\u00ad]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .toLowerCase();
}

function asciiDigits(text: string): string {
  return text.replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)));
}

const letters = questionLimits.expectedText;
const prose = 'The sauna opens at noon. '.repeat(2_400);

test.each([
  ['punctuation within', prose, (n: number) => `x${'.'.repeat(letters - 10)}y${n}`],
  ['the words of the answer', prose, (n: number) => prose.slice(n, n + letters - 10) + n],
  ['numbers', '12345 '.repeat(10_000), (n: number) => String(n % 1_000)],
  [
    'repetitions that the answer almost contains',
    `${'a'.repeat(600)}b`.repeat(100),
    (n: number) => `b${'a'.repeat(500 - n)}b${'a'.repeat(450)}`,
  ],
])(
  'the largest question costs at most 200 ms of CPU time for an answer of 60,000 characters: %s',
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
