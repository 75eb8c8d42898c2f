import type { BlockSpan } from '../../text/block-spans.ts';
import type { Block, ExtractedText } from '../extracted-text.ts';
import { endsWithColon, isLeadBlock, lastSentenceStart, maxLeadLength } from './chunk-leads.ts';
import { type BlockLocation, locateBlocks } from './chunk-location.ts';
import { splitBlock, type TextRange } from './split-block.ts';

/** A range of the text that is never split between two chunks. */
export interface ChunkPart extends TextRange, BlockLocation {
  readonly kind: Block['kind'];
  /** Whether the part means little without the next part: a heading, a title, or a lead such as `You need:`. */
  readonly needsNext: boolean;
  readonly page: number | undefined;
  /** The blocks that the part consists of. Offsets are those of the whole text. */
  readonly blocks: readonly PartBlock[];
}

/** A block, or a piece of one that is too long for a chunk. */
export interface PartBlock extends BlockSpan {
  /** Number of the block in the document. */
  readonly index: number;
}

/**
 * Maximum sizes of a part that is not split, as a multiple of the target size: first of a paragraph, then of a table
 * row or list item. Rows and items may be longer, because a piece of a row or item means little without its start.
 */
export const maxParagraphFactor = 1.5;
const maxRowFactor = 3;

/** Returns the parts of a text in order. */
export function partsOf(extracted: ExtractedText, target: number): ChunkPart[] {
  const { text, blocks } = extracted;
  const isLead = blocks.map((_, index) => isLeadBlock(extracted, index));
  const locations = locateBlocks(extracted, isLead);
  return blocks.flatMap((block, index) => {
    const { kind, page } = block;
    const { context = '', continuesItem = false } = locations[index] ?? {};
    const needsNext = kind === 'heading' || isLead[index] === true;
    const ranges = splitPart(text, block, isLead[index] === true, target);
    return ranges.map((range, at) => ({
      ...{ ...range, kind, page, context, continuesItem },
      blocks: [{ index, kind, start: range.start, end: range.end, continuesItem }],
      needsNext: at === ranges.length - 1 ? needsNext : isInnerLead(text, block, range),
    }));
  });
}

/**
 * Splits a block that is too long. If a long text ends with the lead of the next block, this lead becomes its own part.
 */
function splitPart(text: string, block: Block, isLead: boolean, target: number): TextRange[] {
  const { kind, start, end } = block;
  const isWhole = kind === 'table-row' || kind === 'list-item';
  const limit = target * (isWhole ? maxRowFactor : maxParagraphFactor);
  const isLongLead = isLead && kind === 'paragraph' && end - start > maxLeadLength;
  const lead = isLongLead ? start + lastSentenceStart(text.slice(start, end)) : start;
  return [...splitBlock(text, start, lead, limit), ...splitBlock(text, lead, end, limit)];
}

/**
 * Whether a range inside a block is a lead, such as a line directly above a list, without a blank line between them.
 */
function isInnerLead(text: string, { kind }: Block, { start, end }: TextRange): boolean {
  return kind === 'paragraph' && endsWithColon(text.slice(start, end));
}
