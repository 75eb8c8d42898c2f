import type { PdfRun } from './pdf-run.ts';

/** Letters with a space after each. pdf.js returns a word with wide letter spacing like this. */
const spacedLetters = /^\p{L}(?: \p{L}){1,23}$/u;
/** Fewer letters, such as `I O U`, may be what they seem, unless a longer word with letter spacing is on their line. */
const minLetters = 4;
const vowel = /[aeiouyà-æè-ïò-öù-ÿаеёиоуыэюяіїєαεηιουωά-ώ]/iu;
/** Answers of a test, and the initials of months. */
const noWord = /^(?:[A-E]+|[a-e]+|JFMAMJJASOND)$/;
/** Maximum gap between two words, as a multiple of the font size. */
const maxWordGap = 3;

/**
 * Joins the letters of words with wide letter spacing, as headlines have it, and such words of a line. `runs` are those of
 * one line. Sequences such as the alphabet and the initials of weekdays stay.
 */
export function joinSpacedLetters(runs: readonly PdfRun[]): readonly PdfRun[] {
  const words = runs.filter(isSpacedWord);
  if (words.length === 0) return runs;
  const fonts = new Set(words.map(fontOf));
  const joined: PdfRun[] = [];
  let isWordBefore = false;
  for (const run of runs) {
    const isWord = fonts.has(fontOf(run)) && spacedLetters.test(run.text);
    const word = isWord ? { ...run, text: lettersOf(run) } : run;
    const before = joined.at(-1);
    const isNext =
      before !== undefined && run.x0 > before.x1 && run.x0 - before.x1 < run.size * maxWordGap;
    if (isWord && isWordBefore && isNext && fontOf(before) === fontOf(run)) {
      joined[joined.length - 1] = { ...before, text: `${before.text} ${word.text}`, x1: run.x1 };
    } else joined.push(word);
    isWordBefore = isWord;
  }
  return joined;
}

function isSpacedWord(run: PdfRun): boolean {
  if (run.isRightToLeft || !spacedLetters.test(run.text)) return false;
  const letters = lettersOf(run);
  const isAscending = Array.from(letters.toLowerCase()).every(
    (letter, at, all) => at === 0 || letter > (all[at - 1] ?? ''),
  );
  return (
    letters.length >= minLetters && vowel.test(letters) && !noWord.test(letters) && !isAscending
  );
}

function lettersOf({ text }: PdfRun): string {
  return text.replaceAll(' ', '');
}

function fontOf({ font, size }: PdfRun): string {
  return `${font} ${size}`;
}
