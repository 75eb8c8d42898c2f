import type { TracedHit, UnusedReason } from './answer-trace.ts';
import type { FoundChunk, TracedSearch } from './answer-trace-recorder.ts';

const maxHits = 40;

/**
 * Returns the hits of a search, with the reason why the chat model did not receive them. The order is: ranked hits,
 * chunks that complete their sections, hits beyond the limit of the search, near-duplicates.
 */
export function traceHits(search: TracedSearch, isModelAsked: boolean): TracedHit[] {
  const { hits, contextChunks, distinct, searched } = search;
  if (hits.length === 0) return [];
  const minScoreOf = search.minScores();
  const selected = new Set(contextChunks.map(({ chunkId }) => chunkId));
  const traced = new Map<string, TracedHit>();
  const add = (
    chunks: readonly FoundChunk[],
    reasonOf: (chunk: FoundChunk) => UnusedReason,
    isRanked = false,
  ) => {
    for (const chunk of chunks) {
      if (traced.size >= maxHits) return;
      if (traced.has(chunk.chunkId)) continue;
      const { documentId, chunkId } = chunk;
      const used = isModelAsked && selected.has(chunkId);
      traced.set(chunkId, {
        ...{ documentId, chunkId, rank: isRanked ? traced.size + 1 : null, used },
        ...{ score: rounded(chunk.score), similarity: rounded(chunk.similarity) },
        ...{ lexical: rounded(chunk.lexical), reason: used ? null : reasonOf(chunk) },
      });
    }
  };
  const reasonOf = (chunk: FoundChunk): UnusedReason => {
    if (selected.has(chunk.chunkId)) return 'NOT_ANSWERED';
    return chunk.score < minScoreOf(chunk) ? 'BELOW_CUTOFF' : 'NO_ROOM';
  };
  add(hits, reasonOf, true);
  add(contextChunks, reasonOf);
  add(distinct, reasonOf);
  add(searched, () => 'DUPLICATE');
  return [...traced.values()];
}

/** Rounds a score to four decimals. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
