import type { Block, ExtractedText } from './extracted-text.ts';
import { splitBlock, type TextRange } from './split-block.ts';
import { tableHeaders } from './table-headers.ts';

/** A chunk of a document: `content` is `text.slice(start, end)`. */
export interface Chunk {
  /** 0-based, in reading order. */
  readonly position: number;
  readonly content: string;
  /**
   * The headings above the chunk, outermost first, joined by ` › `. If the chunk is in a table, also the table's
   * headers (`tableHeaders`). May be empty.
   */
  readonly context: string;
  /** PDF page on which the chunk starts, from 1; null if the format has no pages. */
  readonly page: number | null;
  /** UTF-16 offsets into the extracted text. */
  readonly start: number;
  readonly end: number;
  /** `start` and `end` in Unicode code points. */
  readonly startOffset: number;
  readonly endOffset: number;
  /** Estimated tokens of `content`. */
  readonly tokenCount: number;
}

export interface ChunkOptions {
  /** Target size of a chunk in tokens. Default 160. */
  readonly targetTokens?: number;
}

const defaultTargetTokens = 160;

/**
 * Maximum size of a paragraph or table row that is not split, as a multiple of the target size. Rows may be longer,
 * because a part of a row means little without its start.
 */
const maxParagraphFactor = 1.5;
const maxRowFactor = 3;

/** Maximum UTF-16 units of a heading in `context`. Longer headings are cut. */
const maxTitleLength = 120;

/**
 * Splits a text into chunks along its structure. A heading starts a chunk. Paragraphs, list items and rows are packed
 * up to the target size and are split only if they are too long. Chunks do not overlap and contain every word of the
 * text.
 */
export function chunkText(extracted: ExtractedText, options: ChunkOptions = {}): Chunk[] {
  const target = options.targetTokens ?? defaultTargetTokens;
  const codePoints = codePointCounter(extracted.text);
  return splitSections(extracted, target)
    .flatMap((section) => packParts(section, target))
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

/** A part of the text that is not split further, with the headings above it. */
interface Part extends TextRange {
  readonly isHeading: boolean;
  readonly context: string;
  readonly page: number | undefined;
}

/** Groups parts into sections. A heading starts a new section, unless it directly follows another heading. */
function splitSections(extracted: ExtractedText, target: number): Part[][] {
  const { text, blocks } = extracted;
  const tables = tableHeaders(extracted);
  const sections: Part[][] = [];
  const headingPath: Heading[] = [];
  let hasText = true;
  for (const [index, block] of blocks.entries()) {
    const isHeading = block.kind === 'heading';
    if (isHeading) closeSections(headingPath, block);
    const titles = headingPath.map(({ title }) => title);
    const context = [...titles, tables[index]].filter(Boolean).join(' › ');
    if (isHeading) headingPath.push({ level: block.level ?? 1, title: headingTitle(text, block) });
    const limit = target * (block.kind === 'table-row' ? maxRowFactor : maxParagraphFactor);
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

function closeSections(headingPath: Heading[], heading: Block): void {
  while ((headingPath.at(-1)?.level ?? 0) >= (heading.level ?? 1)) headingPath.pop();
}

function headingTitle(text: string, { start, end }: Block): string {
  const title = text.slice(start, Math.min(end, start + maxTitleLength));
  return title.toWellFormed().replace(/\s+/g, ' ').trim();
}

/**
 * Merges adjacent parts up to the target size. A heading is merged with the first paragraph after it, up to twice the
 * target size.
 */
function packParts(parts: readonly Part[], target: number): Part[] {
  const packed: Part[] = [];
  for (const part of parts) {
    const last = packed.at(-1);
    if (last && last.tokens + part.tokens <= (last.isHeading ? target * 2 : target)) {
      packed[packed.length - 1] = { ...part, ...mergeSpans(last, part) };
    } else {
      packed.push(part);
    }
  }
  return packed;
}

/** The merged part keeps the context and page of the first part. */
function mergeSpans(first: Part, last: Part) {
  const { start, context, page } = first;
  return { start, context, page, tokens: first.tokens + last.tokens };
}

/** Converts UTF-16 offsets to code points. Offsets must be passed in ascending order. */
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
