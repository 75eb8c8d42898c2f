import { maxWholeLength } from '../../../models/extractive/answer-candidates.ts';
import type { ContextLimits } from '../../../models/models.ts';
import { readBlockSpans } from '../../../text/block-spans.ts';
import { estimateTokens } from '../../../text/estimate-tokens.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';

/** A chunk near a hit in the same document. */
export interface NearChunk
  extends Pick<Hit, 'chunkId' | 'content' | 'context' | 'page' | 'startOffset' | 'endOffset'> {
  readonly documentId: string;
  /** Number of the chunk in the document. */
  readonly position: number;
  readonly blocks: string | null;
}

/**
 * Adds the other chunks of the sections that contain the hits, best hit first. A whole section is more useful for a
 * language model than a part of it: steps, rows and exceptions are often in the next chunk. Leaves out a section that does
 * not fit into the rest of `maxSectionTokens` or `maxTokens`, or whose start or end is not among `near`. If there are more than
 * `maxChunks` then, leaves out the last ones.
 */
export function addWholeSections(
  hits: readonly Hit[],
  near: readonly NearChunk[],
  limits: ContextLimits,
): Hit[] {
  const total = hits.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  let budget = Math.min(limits.maxSectionTokens, limits.maxTokens - total);
  const known = new Set(hits.map(({ chunkId }) => chunkId));
  const completed = hits.flatMap((hit) => {
    const missing = (sectionOf(hit, near) ?? []).filter(({ chunkId }) => !known.has(chunkId));
    const tokens = missing.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    if (tokens > budget) return [hit];
    budget -= tokens;
    for (const { chunkId } of missing) known.add(chunkId);
    return [hit, ...missing.map(({ position: _, ...chunk }) => ({ ...hit, ...chunk }))];
  });
  return completed.slice(0, limits.maxChunks);
}

/** Returns the chunks from one heading to the next. Returns null if one of the two is not among the chunks. */
function sectionOf({ chunkId }: Hit, near: readonly NearChunk[]): readonly NearChunk[] | null {
  const own = near.find((chunk) => chunk.chunkId === chunkId);
  if (own === undefined) return null;
  const at = new Map(
    near
      .filter(({ documentId }) => documentId === own.documentId)
      .map((chunk) => [chunk.position, chunk]),
  );
  let start = own.position;
  while (at.has(start) && start > 0 && !startsSection(at.get(start))) start -= 1;
  let end = own.position + 1;
  while (at.has(end) && !startsSection(at.get(end))) end += 1;
  const isStartKnown = at.has(start);
  const isEndKnown = at.has(end) || end <= own.position + nearChunks;
  const chunks = Array.from({ length: end - start }, (_, index) => at.get(start + index));
  return isStartKnown && isEndKnown ? chunks.filter((chunk) => chunk !== undefined) : null;
}

/** Whether a hit is a whole section, by its length and its blocks, so that no other chunk belongs to it. */
export function isWholeSection({ content, blocks = null, startOffset }: Hit): boolean {
  const isStart = startOffset === 0 || (blocks !== null && beginsWithHeading(blocks));
  return isStart && content.length < maxWholeLength;
}

/** Number of chunks to read before and after a hit. A longer section is rarely short enough to be added. */
export const nearChunks = 4;

/** Whether a chunk begins with a heading. If its blocks are not known, it counts as the start of a section. */
function startsSection(chunk: NearChunk | undefined): boolean {
  return chunk?.blocks == null || beginsWithHeading(chunk.blocks);
}

function beginsWithHeading(blocks: string): boolean {
  return readBlockSpans(blocks)[0]?.kind === 'heading';
}
