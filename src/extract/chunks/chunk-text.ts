import { type BlockSpan, writeBlockSpans } from '../../text/block-spans.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { type ChunkPart, partsOf } from './chunk-parts.ts';
import { mergeParts, packParts } from './pack-parts.ts';

/** A chunk of a document: `content` is `text.slice(start, end)`. */
export interface Chunk {
  /** Position in reading order, from 0. */
  readonly position: number;
  readonly content: string;
  /**
   * The headings above the chunk, outermost first, joined by ` › `. If the chunk starts inside a list, also contains
   * the leads of the list. If it starts inside a table, also contains the headers of the table (`tableHeaders`). May be
   * empty.
   */
  readonly context: string;
  /** PDF page or slide on which the chunk starts, from 1. Null if the format has no pages. */
  readonly page: number | null;
  /** `start` and `end`: offsets in the extracted text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The offsets `start` and `end`, in Unicode code points. */
  readonly startOffset: number;
  readonly endOffset: number;
  /** Estimated tokens of `content`. */
  readonly tokenCount: number;
  /** The blocks of `content` (see `writeBlockSpans`). */
  readonly blocks: string;
}

export interface ChunkOptions {
  /** Target size of a chunk in tokens. Default 160. */
  readonly targetTokens?: number;
}

const defaultTargetTokens = 160;

/**
 * Splits a text into chunks that follow its structure. A heading starts a chunk, and no chunk consists only of a
 * heading. Paragraphs, list items and rows are combined up to the target size. They are split only if they are too
 * long. A lead such as `You need:` stays with its list, or at least with the first item. Chunks do not overlap and
 * contain every word of the text.
 */
export function chunkText(extracted: ExtractedText, options: ChunkOptions = {}): Chunk[] {
  const target = options.targetTokens ?? defaultTargetTokens;
  const codePoints = codePointCounter(extracted.text);
  return packSections(splitSections(partsOf(extracted, target)), target).map(
    ({ start, end, tokens, context, page, blocks }, position) => ({
      position,
      content: extracted.text.slice(start, end),
      context,
      page: page ?? null,
      start,
      end,
      startOffset: codePoints(start),
      endOffset: codePoints(end),
      tokenCount: tokens,
      blocks: writeBlockSpans(blocks.map((block) => relativeTo(start, block))),
    }),
  );
}

function relativeTo(offset: number, block: BlockSpan): BlockSpan {
  return { ...block, start: block.start - offset, end: block.end - offset };
}

/** Groups parts into sections. A heading starts a new section, except directly after other headings and titles. */
function splitSections(parts: readonly ChunkPart[]): ChunkPart[][] {
  const sections: ChunkPart[][] = [];
  let hasText = true;
  for (const part of parts) {
    const last = sections.at(-1);
    if (last === undefined || (part.kind === 'heading' && hasText)) sections.push([part]);
    else last.push(part);
    hasText = !part.needsNext;
  }
  return sections;
}

/** Merges the parts of each section into chunks. Headings at the end of the document stay with the text before them. */
function packSections(sections: readonly ChunkPart[][], target: number): ChunkPart[] {
  const chunks = sections.flatMap((section) => packParts(section, target));
  const [text, headings] = chunks.slice(-2);
  const isOnlyHeadings = sections.at(-1)?.every(({ kind }) => kind === 'heading') === true;
  if (!isOnlyHeadings || headings === undefined || text === undefined) return chunks;
  return text.needsNext ? chunks : [...chunks.slice(0, -2), mergeParts(text, headings)];
}

/** Returns a function that converts UTF-16 offsets to code points. Call it with offsets in ascending order. */
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
