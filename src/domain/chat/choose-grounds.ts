import type { Hit } from '../knowledge/hybrid-search.ts';

/** Chunks asked of retrieval. */
export const maxGrounds = 6;

/** A quoted answer takes at most three sentences; they seldom come from more chunks. */
const maxQuoted = 4;

/** Of the best score. What scores less is another matter, in the best document or in any. */
const minShare = 0.6;
/** A second document must be as good as the first: in most questions one of the two is the wrong one. */
const minShareElsewhere = 0.95;

/**
 * The hits that deserve to be grounds, best first. A model that can only quote is given those of the best document and
 * equals of it, as it cannot tell which document speaks of something else; one that reads is given more to weigh.
 */
export function chooseGrounds(
  hits: readonly Hit[],
  { isExtractive = false }: { readonly isExtractive?: boolean },
): Hit[] {
  const [best] = hits;
  if (best === undefined) return [];
  const deserving = hits.filter(({ score }) => score >= minShare * best.score);
  if (!isExtractive) return deserving.slice(0, maxGrounds);
  return deserving
    .slice(0, maxQuoted)
    .filter(
      ({ documentId, score }) =>
        documentId === best.documentId || score >= minShareElsewhere * best.score,
    );
}
