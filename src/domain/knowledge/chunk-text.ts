import type { Block, ExtractedText } from './extract/extracted-text.ts';
import { type Piece, splitBlock } from './split-block.ts';
import { tableHeaders } from './table-headers.ts';

/** A passage of a document: `content` is `text.slice(start, end)`. */
export interface Chunk {
  /** 0-based, in reading order. */
  readonly position: number;
  readonly content: string;
  /**
   * The headings above the passage, outermost first, joined by ` › `; inside a table its titles too (`tableHeaders`).
   * May be empty.
   */
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

const TARGET_TOKENS = 160;

/** Times the target: a paragraph is cut above the first, a row, which says little without its beginning, above the second. */
const LONGEST_PARAGRAPH = 1.5;
const LONGEST_ROW = 3;

/** Characters of a title in the path: what takes more is no title. */
const LONGEST_TITLE = 120;

/**
 * Splits a text along its structure: a heading begins a chunk, paragraphs, list items and rows are packed up to the
 * target and only cut when one alone is longer. Chunks do not overlap and together hold every word of the text.
 */
export function chunkText(extracted: ExtractedText, options: ChunkOptions = {}): Chunk[] {
  const target = options.targetTokens ?? TARGET_TOKENS;
  const codePoints = codePointCounter(extracted.text);
  return sectionsOf(extracted, target)
    .flatMap((section) => pack(section, target))
    .map(({ start, end, tokens, context, page }, position) => ({
      position,
      content: extracted.text.slice(start, end),
      context,
      page: page ?? null,
      start,
      end,
      startOffset: codePoints(start),
      endOffset: codePoints(end),
      tokenCount: tokens,
    }));
}

/** What is not cut any further, and the headings above it. */
interface Part extends Piece {
  readonly isHeading: boolean;
  readonly context: string;
  readonly page: number | undefined;
}

/** A heading begins a section, unless nothing but headings stand before it. */
function sectionsOf(extracted: ExtractedText, target: number): Part[][] {
  const { text, blocks } = extracted;
  const tables = tableHeaders(extracted);
  const sections: Part[][] = [];
  const path: Heading[] = [];
  let hasText = true;
  for (const [index, block] of blocks.entries()) {
    const isHeading = block.kind === 'heading';
    if (isHeading) leaveSections(path, block);
    const titles = path.map(({ title }) => title);
    const context = [...titles, tables[index]].filter(Boolean).join(' › ');
    if (isHeading) path.push({ level: block.level ?? 1, title: titleOf(text, block) });
    const limit = target * (block.kind === 'table-row' ? LONGEST_ROW : LONGEST_PARAGRAPH);
    const { page } = block;
    const parts = splitBlock(text, block.start, block.end, limit).map((piece) => ({
      ...piece,
      isHeading,
      context,
      page,
    }));
    const last = sections.at(-1);
    if (last === undefined || (isHeading && hasText)) sections.push(parts);
    else for (const part of parts) last.push(part);
    hasText = !isHeading;
  }
  return sections;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

function leaveSections(path: Heading[], heading: Block): void {
  while ((path.at(-1)?.level ?? 0) >= (heading.level ?? 1)) path.pop();
}

function titleOf(text: string, { start, end }: Block): string {
  const title = text.slice(start, Math.min(end, start + LONGEST_TITLE));
  return title.toWellFormed().replace(/\s+/g, ' ').trim();
}

/** Puts neighbours together while they stay within the target; a heading keeps its first paragraph. */
function pack(parts: readonly Part[], target: number): Part[] {
  const packed: Part[] = [];
  for (const part of parts) {
    const last = packed.at(-1);
    if (last && last.tokens + part.tokens <= (last.isHeading ? target * 2 : target)) {
      packed[packed.length - 1] = { ...part, ...spanOf(last, part) };
    } else {
      packed.push(part);
    }
  }
  return packed;
}

/** Stands where the first part stands. */
function spanOf(first: Part, last: Part) {
  const { start, context, page } = first;
  return { start, context, page, tokens: first.tokens + last.tokens };
}

/** Counts from the last offset on: they are asked for in ascending order. */
function codePointCounter(text: string): (offset: number) => number {
  let counted = 0;
  let codePoints = 0;
  return (offset) => {
    for (; counted < offset; counted += 1) {
      const unit = text.charCodeAt(counted);
      if (unit < 0xdc00 || unit > 0xdfff) codePoints += 1;
    }
    return codePoints;
  };
}
