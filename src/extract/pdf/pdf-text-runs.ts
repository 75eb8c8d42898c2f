import { combineAccents } from './combine-accents.ts';
import type { PdfRun } from './pdf-run.ts';

/** Text item from pdf.js. `width` is its extent along the line, `height` its extent across the line. */
export interface PdfTextItem {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
}

/**
 * Returns the text runs of a page, grouped by writing direction (upright, rotated, vertical). Each group is in drawing
 * order, and the group with the most characters comes first. Text that the page draws twice to look bold is returned
 * once.
 */
export function readRuns(items: readonly PdfTextItem[]): PdfRun[][] {
  const groups = new Map<string, PdfRun[]>();
  const seen = new Set<string>();
  for (const item of items) {
    const text = normalizeGlyphs(item.str);
    if (text.trim() === '') continue;
    const { direction, run } = placeRun(text, item);
    const position = `${text}|${Math.round(run.x0 / 2)}|${Math.round(run.y / 2)}|${direction}`;
    if (text.length > 1 && seen.has(position)) continue;
    seen.add(position);
    const group = groups.get(direction) ?? [];
    group.push(run);
    groups.set(direction, group);
  }
  const characters = (runs: readonly PdfRun[]) =>
    runs.reduce((sum, run) => sum + run.text.length, 0);
  return [...groups.values()].map(combineAccents).sort((a, b) => characters(b) - characters(a));
}

function placeRun(text: string, item: PdfTextItem): { direction: string; run: PdfRun } {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const common = { text, font: item.fontName, isRightToLeft: item.dir === 'rtl' };
  if (item.dir === 'ttb') {
    const run = { ...common, x0: -f, x1: -f + item.height, y: e, size: Math.hypot(a, b) };
    return { direction: 'vertical', run };
  }
  const quarterTurns = ((Math.round((Math.atan2(b, a) * 2) / Math.PI) % 4) + 4) % 4;
  const [x0, y] = rotateBack(e, f, quarterTurns);
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  return {
    direction: `rotated ${quarterTurns}`,
    run: { ...common, x0, x1: x0 + item.width, y, size },
  };
}

function rotateBack(x: number, y: number, quarterTurns: number): [number, number] {
  if (quarterTurns === 1) return [y, -x];
  if (quarterTurns === 2) return [-x, -y];
  return quarterTurns === 3 ? [-y, x] : [x, y];
}

/**
 * Replaces presentation glyphs by ordinary letters: Latin ligatures, Arabic and Hebrew presentation forms, Kangxi
 * radicals. Keeps other compatibility characters (`²`, `½`, full-width forms), because they have their own meaning.
 */
function normalizeGlyphs(text: string): string {
  const letters = text
    .replace(/[\u2f00-\u2fdf\ufb00-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]+/g, (forms) =>
      forms.normalize('NFKC'),
    )
    .replace(/[\ue000-\uf8ff]/g, privateUseGlyph);
  // NFKC may reverse the letters of a lam-alef ligature. If they follow an alef, this swaps them back, because no word
  // has this order.
  return letters.replace(/ا([أإآ])ل/g, 'ال$1');
}

/**
 * Replaces bullets in the fonts Symbol and Wingdings by `•`, and other private-use glyphs by a space, because their
 * meaning depends on the font.
 */
function privateUseGlyph(glyph: string): string {
  return /[\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf06e\uf02d]/.test(glyph) ? '•' : ' ';
}
