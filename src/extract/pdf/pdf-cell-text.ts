import { markRaised } from '../raised-text.ts';
import { combiningAccents } from './combine-accents.ts';
import { minWordGap, orderRightToLeft } from './pdf-right-to-left.ts';
import type { PdfRun } from './pdf-run.ts';

/** Returns the text of a cell in reading order, with spaces between words. `cell` is sorted from left to right. */
export function cellText(cell: readonly PdfRun[], isRightToLeft: boolean): string {
  const runs = isRightToLeft ? orderRightToLeft(cell, (runs) => cellText(runs, false)) : cell;
  let text = '';
  let previous: PdfRun | undefined;
  let lastOnLine: PdfRun | undefined;
  for (const run of runs) {
    const gap = previous === undefined ? 0 : gapBetween(previous, run, isRightToLeft);
    const isOnTop = gap < -run.size * 0.2 && !isRightToLeft;
    const isRepeated = isOnTop && text.endsWith(run.text.charAt(0));
    const changesDirection = previous !== undefined && previous.isRightToLeft !== run.isRightToLeft;
    const needsSpace =
      (Math.abs(gap) > run.size * minWordGap && !isRepeated) ||
      (changesDirection && /\p{L}/u.test(run.text) && /[\p{L}\p{N}]$/u.test(text));
    // Some PDFs draw bold text twice. The second copy overlaps and repeats the previous character, so drop that
    // character.
    const added = isRepeated ? run.text.slice(1) : run.text;
    const isRaised = lastOnLine !== undefined && isRaisedBeside(lastOnLine, run);
    text += (needsSpace ? ' ' : '') + (isRaised ? markRaised(added) : added);
    if (!isRaised) lastOnLine = run;
    previous = run;
  }
  return composeAccents(text.replace(/\s+/g, ' ').trim());
}

/** Whether the run is a superscript: smaller than another run on the line, and above the line. */
function isRaisedBeside(onLine: PdfRun, run: PdfRun): boolean {
  return run.size < onLine.size * 0.85 && run.y - onLine.y > onLine.size * 0.15;
}

/**
 * Combines accents with their letters, because TeX draws them as two glyphs. An acute accent is combined only if it is
 * after a letter and before a space, because it may be an apostrophe.
 */
function composeAccents(text: string): string {
  return text.replace(
    /(?:([¨ˆ˜˘˙˚˝ˇ]) ?|(?<=\p{L})(´) )(\p{L})/gu,
    (found, other, acute, letter) => {
      const base = letter === 'ı' ? 'i' : letter;
      const composed = `${base}${combiningAccents[other ?? acute]}`.normalize('NFC');
      return composed.length === 1 ? composed : found;
    },
  );
}

function gapBetween(previous: PdfRun, run: PdfRun, isRightToLeft: boolean): number {
  if (!isRightToLeft) return run.x0 - previous.x1;
  return Math.max(previous.x0 - run.x1, run.x0 - previous.x1);
}
