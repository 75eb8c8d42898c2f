import type { Run } from './pdf-runs.ts';

/** The gap that is a word space, in units of the font size. */
const WORD_GAP = 0.13;

/** The text of runs from left to right: spaces between words, foreign words in their place. */
export function cellText(cell: readonly Run[], isRightToLeft: boolean): string {
  const runs = isRightToLeft ? orderRightToLeft(cell) : cell;
  let text = '';
  let previous: Run | undefined;
  for (const run of runs) {
    const gap = previous === undefined ? 0 : gapBetween(previous, run, isRightToLeft);
    const isOnTop = gap < -run.size * 0.2 && !isRightToLeft;
    const isRepeated = isOnTop && text.endsWith(run.text.charAt(0));
    const turns = previous !== undefined && previous.isRightToLeft !== run.isRightToLeft;
    const needsSpace =
      (Math.abs(gap) > run.size * WORD_GAP && !isRepeated) || (turns && /\p{L}/u.test(run.text));
    // Bold made by printing each character twice: the run starts on top of the one it repeats.
    text += (needsSpace ? ' ' : '') + (isRepeated ? run.text.slice(1) : run.text);
    previous = run;
  }
  return composeAccents(text.replace(/\s+/g, ' ').trim());
}

/** Numbers and foreign words run left to right also within a line that runs right to left. */
function orderRightToLeft(runs: readonly Run[]): Run[] {
  const ordered: Run[] = [];
  let foreign: Run[] = [];
  for (const run of [...runs].reverse()) {
    if (run.isRightToLeft) {
      ordered.push(...foreign.reverse(), run);
      foreign = [];
    } else {
      foreign.push(run);
    }
  }
  return [...ordered, ...foreign.reverse()];
}

const COMBINING: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
};

/** TeX sets an accent and its letter as two glyphs. An acute accent alone may be an apostrophe. */
function composeAccents(text: string): string {
  return text.replace(
    /(?:([¨ˆ˜˘˙˚˝ˇ]) ?|(?<=\p{L})(´) )(\p{L})/gu,
    (found, other, acute, letter) => {
      const base = letter === 'ı' ? 'i' : letter;
      const composed = `${base}${COMBINING[other ?? acute]}`.normalize('NFC');
      return composed.length === 1 ? composed : found;
    },
  );
}

function gapBetween(previous: Run, run: Run, isRightToLeft: boolean): number {
  if (!isRightToLeft) return run.x0 - previous.x1;
  return Math.max(previous.x0 - run.x1, run.x0 - previous.x1);
}
