import { type ChunkPart, maxParagraphFactor, type PartBlock } from './chunk-parts.ts';

/** Maximum size of consecutive titles that stay together, as a share of the target size. */
const maxTitlesShare = 0.5;

/**
 * Merges adjacent parts of a section up to the target size. A heading, title or lead stays with the next part. At the
 * end of the section, it stays with the previous part. A lead stays with its whole list, and a list item with its
 * further paragraphs and nested items, but only if the result is not longer than a long paragraph.
 */
export function packParts(parts: readonly ChunkPart[], target: number): ChunkPart[] {
  const packed: ChunkPart[] = [];
  for (let start = 0; start < parts.length; ) {
    const end = unitEnd(parts, start, target);
    const unit = parts.slice(start, end).reduce(mergeParts);
    const last = packed.at(-1);
    const isEndTitle = end === parts.length && unit.needsNext;
    if (last !== undefined && (isEndTitle || last.tokens + unit.tokens <= target)) {
      packed[packed.length - 1] = mergeParts(last, unit);
    } else {
      packed.push(unit);
    }
    start = end;
  }
  return packed;
}

/** Merges two adjacent parts. The result has the context and page of the first part. */
export function mergeParts(first: ChunkPart, next: ChunkPart): ChunkPart {
  const { end, needsNext } = next;
  const tokens = first.tokens + next.tokens;
  return { ...first, end, needsNext, tokens, blocks: joinBlocks(first.blocks, next.blocks) };
}

/** Joins lists of blocks. If the second list begins with a further piece of the last block, the pieces become one. */
function joinBlocks(left: readonly PartBlock[], right: readonly PartBlock[]): PartBlock[] {
  const last = left.at(-1);
  const [next, ...others] = right;
  if (last === undefined || next === undefined || last.index !== next.index) {
    return [...left, ...right];
  }
  return [...left.slice(0, -1), { ...last, end: next.end }, ...others];
}

/** Returns the index after the last part that must be in the same chunk as the part at `start`. */
function unitEnd(parts: readonly ChunkPart[], start: number, target: number): number {
  const textAt = titlesEnd(parts, start, target * maxTitlesShare);
  const text = parts[textAt];
  if (text === undefined || (textAt > start && parts[textAt]?.needsNext === true)) return textAt;
  const unit = parts.slice(start, textAt + 1);
  const hasLead = unit.some(({ needsNext, kind }) => needsNext && kind === 'paragraph');
  const hasItem = unit.some(({ kind, continuesItem }) => kind === 'list-item' && !continuesItem);
  const limit = target * maxParagraphFactor;
  const isFitting = (end: number) => tokensOf(parts.slice(start, end)) <= limit;
  if (hasLead && isInList(text)) {
    const listEnd = runEnd(parts, textAt + 1, limit, isInList);
    if (isFitting(listEnd)) return listEnd;
  }
  const itemEnd = hasItem ? runEnd(parts, textAt + 1, limit, (part) => part.continuesItem) : 0;
  return itemEnd > textAt && isFitting(itemEnd) ? itemEnd : textAt + 1;
}

/**
 * Returns the index after the titles and leads that begin at `start`. Stops before they get too long, but includes the
 * first title in any case.
 */
function titlesEnd(parts: readonly ChunkPart[], start: number, limit: number): number {
  let tokens = 0;
  let end = start;
  for (; parts[end]?.needsNext === true; end += 1) {
    tokens += parts[end]?.tokens ?? 0;
    if (end > start && tokens > limit) break;
  }
  return end;
}

/**
 * Returns the index after the consecutive matching parts that begin at `start`. Stops when they have more than `limit`
 * tokens, because they then do not fit in a chunk.
 */
function runEnd(
  parts: readonly ChunkPart[],
  start: number,
  limit: number,
  matches: (part: ChunkPart) => boolean,
): number {
  let tokens = 0;
  let end = start;
  for (let part = parts[end]; part !== undefined && matches(part); part = parts[end]) {
    end += 1;
    tokens += part.tokens;
    if (tokens > limit) break;
  }
  return end;
}

function isInList({ kind, continuesItem }: ChunkPart): boolean {
  return kind === 'list-item' || continuesItem;
}

function tokensOf(parts: readonly ChunkPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
