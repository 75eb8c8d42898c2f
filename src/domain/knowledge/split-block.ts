import { countTokens } from './count-tokens.ts';

/** A stretch of a text, in UTF-16 offsets, and about how many tokens it holds. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/**
 * Cuts a stretch of text into pieces of at most `limit` tokens that leave nothing but white space out: between
 * sentences, else between words, else between characters as readers see them, never inside one.
 */
export function splitBlock(text: string, start: number, end: number, limit: number): Piece[] {
  const whole = pieceOf(text, start, end);
  if (whole === null) return [];
  return whole.tokens <= limit ? [whole] : splitBy(text, start, end, limit, 0);
}

const GRANULARITIES = ['sentence', 'word', 'grapheme'] as const;

function splitBy(text: string, start: number, end: number, limit: number, depth: number): Piece[] {
  const granularity = GRANULARITIES[depth];
  if (granularity === undefined)
    return [pieceOf(text, start, end) ?? { start, end, tokens: limit }];
  const pieces: Piece[] = [];
  for (const segment of new Intl.Segmenter(undefined, { granularity }).segment(
    text.slice(start, end),
  )) {
    const from = start + segment.index;
    const piece = pieceOf(text, from, from + segment.segment.length);
    if (piece === null) continue;
    if (piece.tokens > limit)
      pieces.push(...splitBy(text, piece.start, piece.end, limit, depth + 1));
    else if (granularity === 'sentence') pieces.push(piece);
    else join(pieces, piece, limit);
  }
  return pieces;
}

/** Words and characters are put together again up to the limit at once: there may be very many. */
function join(pieces: Piece[], piece: Piece, limit: number): void {
  const last = pieces.at(-1);
  if (last && last.tokens + piece.tokens <= limit) {
    pieces[pieces.length - 1] = {
      start: last.start,
      end: piece.end,
      tokens: last.tokens + piece.tokens,
    };
  } else {
    pieces.push(piece);
  }
}

/** Without white space around it; null when there is nothing else. */
function pieceOf(text: string, start: number, end: number): Piece | null {
  const content = text.slice(start, end);
  const trimmed = content.trim();
  if (trimmed === '') return null;
  const from = start + content.indexOf(trimmed);
  return { start: from, end: from + trimmed.length, tokens: countTokens(trimmed) };
}
