/** Characters in one font on one line, in coordinates where the text runs along x and lines stack down y. */
export interface Run {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** The baseline; greater is higher on the page. */
  readonly y: number;
  /** Font size in points. */
  readonly size: number;
  /** Tells fonts of one document apart. */
  readonly font: string;
  readonly isRightToLeft: boolean;
}

/** What pdf.js says of a piece of text; `width` and `height` are its extent along and across the line. */
export interface TextPiece {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
}

/**
 * The runs of a page in the order they are drawn, grouped by writing direction (upright, turned, vertical)
 * with the direction of most characters first. Text drawn twice to look bold is kept once.
 */
export function readRuns(pieces: readonly TextPiece[]): Run[][] {
  const groups = new Map<string, Run[]>();
  const seen = new Set<string>();
  for (const piece of pieces) {
    const text = normalizeGlyphs(piece.str);
    if (text.trim() === '') continue;
    const { direction, run } = placeRun(text, piece);
    const place = `${text}|${Math.round(run.x0 / 2)}|${Math.round(run.y / 2)}|${direction}`;
    if (text.length > 1 && seen.has(place)) continue;
    seen.add(place);
    const group = groups.get(direction) ?? [];
    group.push(run);
    groups.set(direction, group);
  }
  const characters = (runs: readonly Run[]) => runs.reduce((sum, run) => sum + run.text.length, 0);
  return [...groups.values()].sort((a, b) => characters(b) - characters(a));
}

function placeRun(text: string, piece: TextPiece): { direction: string; run: Run } {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = piece.transform;
  const common = { text, font: piece.fontName, isRightToLeft: piece.dir === 'rtl' };
  if (piece.dir === 'ttb') {
    const run = { ...common, x0: -f, x1: -f + piece.height, y: e, size: Math.hypot(a, b) };
    return { direction: 'vertical', run };
  }
  const turns = ((Math.round((Math.atan2(b, a) * 2) / Math.PI) % 4) + 4) % 4;
  const [x0, y] = turnBack(e, f, turns);
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  return { direction: `turned ${turns}`, run: { ...common, x0, x1: x0 + piece.width, y, size } };
}

function turnBack(x: number, y: number, turns: number): [number, number] {
  if (turns === 1) return [y, -x];
  if (turns === 2) return [-x, -y];
  return turns === 3 ? [-y, x] : [x, y];
}

/**
 * Letters for the glyphs that join them: Latin ligatures, Arabic and Hebrew presentation forms, Kangxi
 * radicals. Other compatibility characters (`²`, `½`, full-width forms) mean something and stay.
 */
function normalizeGlyphs(text: string): string {
  const letters = text
    .replace(/[\u2f00-\u2fdf\ufb00-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]+/g, (forms) =>
      forms.normalize('NFKC'),
    )
    .replace(/[\ue000-\uf8ff]/g, privateGlyph);
  // A lam-alef ligature that maps to two letters comes out reversed; after an alef that is never a word.
  return letters.replace(/ا([أإآ])ل/g, 'ال$1');
}

/** Bullets of the Symbol and Wingdings fonts; other private-use glyphs have no meaning outside their font. */
function privateGlyph(glyph: string): string {
  return /[\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf06e\uf02d]/.test(glyph) ? '•' : ' ';
}
