import type { PdfRun } from './pdf-run.ts';

/** Minimum gap between two words, as a share of the font size. */
export const minWordGap = 0.13;

/**
 * Returns the runs of a right-to-left line in reading order. `runs` are sorted from left to right. Numbers and Latin
 * words keep their order, and become one run with the text that `textOf` returns. Punctuation beside them belongs to the
 * line: a full stop at the left of a number ends the sentence (Unicode Bidirectional Algorithm, rules W1 to L4).
 */
export function orderRightToLeft(
  runs: readonly PdfRun[],
  textOf: (runs: readonly PdfRun[]) => string,
): PdfRun[] {
  const isArabic = runs.some(({ text }) => /\p{Script=Arabic}/u.test(text));
  const ordered: PdfRun[] = [];
  /** Numbers and Latin words, from right to left. */
  let group: PdfRun[] = [];
  /** Punctuation at the left of the group. */
  let marks: PdfRun[] = [];
  const flush = () => {
    if (group.length > 0) ordered.push(joinRuns(group.reverse(), textOf));
    ordered.push(...marks.map((mark) => mirror(reverse(mark))));
    group = [];
    marks = [];
  };
  for (const run of runs.flatMap((one) => splitRun(one, isArabic)).reverse()) {
    if (run.isRightToLeft) {
      flush();
      ordered.push(mirror(run));
    } else if (!hasWord(run)) marks.push(run);
    else {
      const right = group.at(-1);
      if (right !== undefined && joins(run, marks, right, isArabic)) group.push(...marks);
      else flush();
      marks = [];
      group.push(run);
    }
  }
  flush();
  return ordered;
}

/** Separates the punctuation at both ends of a number or Latin words. Their share of the width is estimated. */
function splitRun(run: PdfRun, isArabic: boolean): PdfRun[] {
  if (run.isRightToLeft || !hasWord(run)) return [run];
  const { text } = run;
  const isPart = isArabic ? /[\p{L}\p{N}]/u : /[\p{L}\p{N}%‰°\p{Sc}]/u;
  const letters = Array.from(text);
  const start = letters.findIndex((letter) => isPart.test(letter));
  let end = letters.findLastIndex((letter) => isPart.test(letter)) + 1;
  if (hasOpenBracket(letters.slice(start, end)) && /[)\]}]/.test(letters[end] ?? '')) end += 1;
  const width = (run.x1 - run.x0) / letters.length;
  const part = (from: number, to: number, isRightToLeft: boolean): PdfRun[] =>
    from === to
      ? []
      : [
          {
            ...run,
            text: letters.slice(from, to).join(''),
            x0: run.x0 + from * width,
            x1: run.x0 + to * width,
            isRightToLeft,
          },
        ];
  const marks = (from: number, to: number) =>
    letters.slice(from, to).flatMap((_, at) => part(from + at, from + at + 1, false));
  const word = part(start, end, false).map((one) => (isArabic ? reverseRange(one) : one));
  return [...marks(0, start), ...word, ...marks(end, letters.length)];
}

function hasOpenBracket(letters: readonly string[]): boolean {
  const count = (brackets: string) => letters.filter((one) => brackets.includes(one)).length;
  return count('([{') > count(')]}');
}

/** A range of numbers, such as `9-17`, runs from right to left in an Arabic line. */
function reverseRange(run: PdfRun): PdfRun {
  if (!/^\p{Nd}[\p{Nd}.,:]*[-+–]\p{Nd}[\p{Nd}.,:]*$/u.test(run.text)) return run;
  const [right = '', sign = '', left = ''] = run.text.split(/([-+–])/);
  return { ...run, text: left + sign + right };
}

/** Whether two runs with the punctuation between them have the order of Latin text, or are parts of one number. */
function joins(
  left: PdfRun,
  between: readonly PdfRun[],
  right: PdfRun,
  isArabic: boolean,
): boolean {
  if (/\p{L}/u.test(left.text) || /\p{L}/u.test(right.text)) return true;
  const [mark] = between;
  const isNear = (one: PdfRun, next: PdfRun) => next.x0 - one.x1 <= left.size * minWordGap;
  if (mark === undefined) return isNear(left, right);
  const isInNumber = (isArabic ? /^[.,:/]$/ : /^[-+.,:/]$/).test(mark.text);
  return between.length === 1 && isInNumber && isNear(left, mark) && isNear(mark, right);
}

function joinRuns(runs: readonly PdfRun[], textOf: (runs: readonly PdfRun[]) => string): PdfRun {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('There are no runs');
  if (runs.length === 1) return first;
  return { ...first, text: textOf(runs), x1: last.x1 };
}

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};

/** Replaces brackets by those that the line means: the page draws the opening bracket of a line as `)`. */
function mirror(run: PdfRun): PdfRun {
  const text = run.text.replace(/[()[\]{}«»]/g, (bracket) => mirrored[bracket] ?? bracket);
  return { ...run, text, isRightToLeft: true };
}

function reverse(run: PdfRun): PdfRun {
  return { ...run, text: Array.from(run.text).reverse().join('') };
}

function hasWord({ text }: PdfRun): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
