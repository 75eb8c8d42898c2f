import { countTokens } from './count-tokens.ts';

/** A stretch of a text, in UTF-16 offsets, and about how many tokens it holds. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/**
 * Cuts a stretch of text into pieces of about `limit` tokens at most that leave nothing but white space out: between
 * sentences, else between words, else anywhere but inside a character as readers see it.
 */
export function splitBlock(text: string, start: number, end: number, limit: number): Piece[] {
  const whole = pieceOf(text, start, end);
  if (whole === null) return [];
  if (whole.tokens <= limit) return [whole];
  return segmentsOf('sentence', text, whole).flatMap((sentence) =>
    sentence.tokens <= limit ? [sentence] : splitSentence(text, sentence, limit),
  );
}

/** Words are put together again up to the limit. */
function splitSentence(text: string, sentence: Piece, limit: number): Piece[] {
  const pieces: Piece[] = [];
  for (const word of segmentsOf('word', text, sentence)) {
    for (const part of word.tokens <= limit ? [word] : splitWord(text, word, limit)) {
      const last = pieces.at(-1);
      if (last === undefined || last.tokens + part.tokens > limit) pieces.push(part);
      else
        pieces[pieces.length - 1] = { ...last, end: part.end, tokens: last.tokens + part.tokens };
    }
  }
  return pieces;
}

/** Parts of equal length: to look at every character of megabytes without a space would take too long. */
function splitWord(text: string, word: Piece, limit: number): Piece[] {
  const step = Math.max(1, Math.floor(((word.end - word.start) * limit) / word.tokens));
  const parts: Piece[] = [];
  for (let start = word.start; start < word.end; ) {
    const end = start + step < word.end ? characterEnd(text, start, start + step) : word.end;
    parts.push(pieceOf(text, start, end) ?? { start, end, tokens: limit });
    start = end;
  }
  return parts;
}

/** More than a character with its marks takes, but for mischief. */
const LONGEST_CHARACTER = 64;

/** Where the character that `at` stands in begins, or ends if it begins at `start`. */
function characterEnd(text: string, start: number, at: number): number {
  const from = Math.max(start, at - LONGEST_CHARACTER);
  const character = CHARACTERS.segment(text.slice(from, at + LONGEST_CHARACTER)).containing(
    at - from,
  );
  if (character === undefined) return at;
  const begin = from + character.index;
  return begin > start ? begin : begin + character.segment.length;
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function segmentsOf(granularity: 'sentence' | 'word', text: string, within: Piece): Piece[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  const pieces: Piece[] = [];
  for (const { index, segment } of segmenter.segment(text.slice(within.start, within.end))) {
    const start = within.start + index;
    const piece = pieceOf(text, start, start + segment.length);
    if (piece !== null) pieces.push(piece);
  }
  return pieces;
}

/** Without white space around it; null when there is nothing else. */
function pieceOf(text: string, start: number, end: number): Piece | null {
  const content = text.slice(start, end);
  const trimmed = content.trim();
  if (trimmed === '') return null;
  const from = start + content.indexOf(trimmed);
  return { start: from, end: from + trimmed.length, tokens: countTokens(trimmed) };
}
