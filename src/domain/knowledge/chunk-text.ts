import { countTokens } from './count-tokens.ts';
import type { Block, ExtractedText } from './extract/extracted-text.ts';

/** A passage of a document: `content` is `text.slice(start, end)`. */
export interface Chunk {
  /** 0-based, in reading order. */
  readonly position: number;
  readonly content: string;
  /** The headings above the passage, outermost first, joined by ` › `; may be empty. */
  readonly context: string;
  /** The page the passage starts on, 1-based; null where there are no pages. */
  readonly page: number | null;
  /** UTF-16 offsets into the extracted text. */
  readonly start: number;
  readonly end: number;
  /** The same in Unicode code points. */
  readonly startOffset: number;
  readonly endOffset: number;
  /** About how many tokens a model sees in `content`. */
  readonly tokenCount: number;
}

export interface ChunkOptions {
  /** Tokens a chunk is filled up to. */
  readonly targetTokens?: number;
}

/**
 * Splits a text along its structure. A heading begins a chunk; paragraphs, list items and rows are packed until the
 * target is reached and never cut, unless one alone is longer: then between sentences, else words, else characters.
 */
export function chunkText(extracted: ExtractedText, options: ChunkOptions = {}): Chunk[] {
  const { text, blocks } = extracted;
  const target = options.targetTokens ?? 160;
  const chunks: Chunk[] = [];
  const codePoints = codePointCounter(text);
  for (const { heading, pieces } of sections(extracted, target)) {
    for (const { start, end, page } of pack(pieces, target)) {
      const content = text.slice(start, end);
      chunks.push({
        position: chunks.length,
        content,
        context: heading,
        page: page ?? null,
        start,
        end,
        startOffset: codePoints(start),
        endOffset: codePoints(end),
        tokenCount: countTokens(content),
      });
    }
  }
  return blocks.length === 0 ? [] : chunks;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly page?: number;
}

interface Section {
  readonly heading: string;
  readonly pieces: Piece[];
}

/** The heading itself is the first piece of its section, and part of the path of those below. */
function sections({ text, blocks }: ExtractedText, target: number): Section[] {
  const path: { level: number; title: string }[] = [];
  const found: Section[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, title: text.slice(block.start, block.end).replace(/\s+/g, ' ').trim() });
    }
    let section = found.at(-1);
    if (!section || (block.kind === 'heading' && !endsWithHeading(section, found, blocks, block))) {
      section = { heading: path.map(({ title }) => title).join(' › ').slice(0, 300), pieces: [] };
      found.push(section);
    }
    section.pieces.push(...split(text, block, target));
  }
  return found;
}

function endsWithHeading(_s: Section, _f: Section[], _b: readonly Block[], _c: Block): boolean {
  return false;
}

function pack(pieces: readonly Piece[], target: number): Piece[] {
  const packed: Piece[] = [];
  for (const piece of pieces) {
    const last = packed.at(-1);
    if (last && last.tokens + piece.tokens <= target) {
      packed[packed.length - 1] = { ...last, end: piece.end, tokens: last.tokens + piece.tokens };
    } else {
      packed.push(piece);
    }
  }
  return packed;
}

function split(text: string, block: Block, target: number): Piece[] {
  const whole = piece(text, block.start, block.end, block.page);
  if (whole.tokens <= target * 1.5) return [whole];
  return [...segments(text.slice(block.start, block.end), target)].map(({ index, segment }) =>
    piece(text, block.start + index, block.start + index + segment.length, block.page),
  );
}

function* segments(text: string, target: number): Generator<{ index: number; segment: string }> {
  for (const sentence of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    if (countTokens(sentence.segment) <= target) yield sentence;
    else {
      for (const word of new Intl.Segmenter('en', { granularity: 'word' }).segment(sentence.segment)) {
        yield { index: sentence.index + word.index, segment: word.segment };
      }
    }
  }
}

function piece(text: string, start: number, end: number, page: number | undefined): Piece {
  return { start, end, page, tokens: countTokens(text.slice(start, end)) };
}

/** Offsets are asked for in ascending order, give or take: counted from the last one. */
function codePointCounter(text: string): (offset: number) => number {
  let at = 0;
  let count = 0;
  return (offset) => {
    if (offset < at) {
      at = 0;
      count = 0;
    }
    for (; at < offset; at++) if (!isLowSurrogate(text.charCodeAt(at))) count++;
    return count;
  };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
