import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';

/** Maximum number of chunks that the model receives, and number of chunks requested from retrieval. */
export const maxContextChunks = 6;

/** Maximum number of chunks for an extractive model. It quotes at most three sentences, seldom from more chunks. */
const maxQuotedChunks = 4;

/** Minimum score of a chunk, as a share of the best chunk's score. Chunks below it are usually off topic. */
const minScoreRatio = 0.6;
/**
 * For extractive models: minimum score of a chunk from a different document than the best chunk, as a share of the best
 * chunk's score. For most questions, only one document is relevant.
 */
const minOtherDocumentScoreRatio = 0.9;

/**
 * Selects the hits that the model receives as context, best first. An extractive model cannot tell which document is
 * off topic, so it receives chunks of other documents only if they score almost as high as the best chunk. Other models
 * receive up to `maxContextChunks`.
 */
export function selectContext(
  hits: readonly Hit[],
  { isExtractive = false }: { readonly isExtractive?: boolean },
): Hit[] {
  const [best] = hits;
  if (best === undefined) return [];
  const relevant = hits.filter(({ score }) => score >= minScoreRatio * best.score);
  if (!isExtractive) return relevant.slice(0, maxContextChunks);
  return relevant
    .slice(0, maxQuotedChunks)
    .filter(
      ({ documentId, score }) =>
        documentId === best.documentId || score >= minOtherDocumentScoreRatio * best.score,
    );
}
