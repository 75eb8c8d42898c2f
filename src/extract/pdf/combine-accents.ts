import type { PdfRun } from './pdf-run.ts';

/** Accents as characters of their own, and as marks that combine with the letter before them. */
export const combiningAccents: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '`': '\u0300',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '¸': '\u0327',
  '˛': '\u0328',
  '˝': '\u030b',
  ˇ: '\u030c',
};

/**
 * Combines accents with the letters over which they are drawn, because TeX's font encoding OT1 draws them as two glyphs.
 * The runs must be in the order of drawing.
 */
export function combineAccents(runs: readonly PdfRun[]): PdfRun[] {
  const combined: PdfRun[] = [];
  for (const run of runs) {
    const before = combined.at(-1);
    const letter = before === undefined ? null : accentedLetter(before, run);
    if (before === undefined || letter === null) {
      combined.push(run);
      continue;
    }
    const text = before.text.slice(0, -1);
    combined.pop();
    if (text.trim() !== '') combined.push({ ...before, text, x1: Math.min(before.x1, run.x0) });
    combined.push({ ...run, text: letter + run.text.slice(1) });
  }
  return combined;
}

/** Returns the letter at the start of the run with the accent at the end of the run before it. Null if there is none. */
function accentedLetter(before: PdfRun, run: PdfRun): string | null {
  const accent = combiningAccents[before.text.at(-1) ?? ''];
  const [letter = ''] = run.text;
  const back = before.x1 - run.x0;
  const isOver =
    back > run.size * 0.05 && back < run.size * 1.2 && Math.abs(before.y - run.y) < run.size * 0.5;
  if (accent === undefined || !isOver) return null;
  const composed = `${letter === 'ı' ? 'i' : letter}${accent}`.normalize('NFC');
  return /^\p{L}$/u.test(composed) ? composed : null;
}
