import { defaultContextLimits } from '../../../models/context-limits.ts';
import { questionParts } from '../../../models/extractive/question-parts.ts';
import type { ChatModel, ContextLimits } from '../../../models/models.ts';
import { estimateTokens } from '../../../text/estimate-tokens.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';

/** Number of chunks from which the confidence is measured. The weights were fitted with the same number. */
export const measuredChunks = 6;

/**
 * Number of chunks requested from retrieval for an extractive model. The search reads this many in any case, and the
 * context then contains the chunks of the best document.
 */
const maxRetrievedChunks = 40;

/**
 * Maximum number of chunks of the best document for an extractive model. It receives several, because its choice among
 * their sentences is more reliable than the order of the chunks.
 */
const maxOwnChunks = 6;
/** An extractive model receives chunks of other documents only if they are among this many best hits. */
const maxOtherRank = 4;

/** Minimum score of a chunk, as a share of the best chunk's score. Chunks below it are usually off topic. */
const minScoreRatio = 0.6;
/** Minimum score of a chunk of the best document for extractive models, also as a share of the best chunk's score. */
const minOwnScoreRatio = 0.35;
/**
 * For extractive models: minimum score of a chunk from a different document than the best chunk, as a share of the best
 * chunk's score. For most questions, only one document is relevant.
 */
const minOtherDocumentScoreRatio = 0.9;
/** The same if the message has several questions, which different documents may answer. */
const minScoreRatioOfParts = 0.6;

export type ContextReader = Pick<ChatModel, 'isExtractive' | 'contextLimits'>;

/** Returns the number of chunks to request from retrieval for a model. */
export function contextChunkLimit({ isExtractive, contextLimits }: ContextReader): number {
  return isExtractive ? maxRetrievedChunks : (contextLimits ?? defaultContextLimits).maxChunks;
}

/**
 * Selects the hits that the model receives as context, best first. An extractive model cannot recognize that a document
 * is off topic, so it receives chunks of other documents only if they score almost as high as the best chunk. Other
 * models receive as many chunks as their limits allow, and at least one.
 */
export function selectContext(
  hits: readonly Hit[],
  { isExtractive = false, contextLimits = defaultContextLimits }: ContextReader,
  question = '',
): Hit[] {
  const [best] = hits;
  if (best === undefined) return [];
  const minScoreOf = minScores(hits, { isExtractive }, question);
  const isRelevant = (hit: Hit) => hit.score >= minScoreOf(hit);
  if (!isExtractive) return cutToBudget(hits.filter(isRelevant), contextLimits);
  const isOwn = ({ documentId }: Hit) => documentId === best.documentId;
  const own = hits.filter((hit) => isOwn(hit) && isRelevant(hit)).slice(0, maxOwnChunks);
  const others = hits.slice(0, maxOtherRank).filter((hit) => !isOwn(hit) && isRelevant(hit));
  const chosen = new Set([...own, ...others]);
  return hits.filter((hit) => chosen.has(hit));
}

/** Returns a function that returns the minimum score of a context chunk. `hits`: hits of the search, best first. */
export function minScores(
  [best]: readonly Hit[],
  { isExtractive = false }: Pick<ContextReader, 'isExtractive'>,
  question: string,
): (hit: Pick<Hit, 'documentId' | 'score'>) => number {
  if (best === undefined) return () => 0;
  if (!isExtractive) return () => minScoreRatio * best.score;
  const hasParts = questionParts(question).length > 1;
  const minOtherRatio = hasParts ? minScoreRatioOfParts : minOtherDocumentScoreRatio;
  return ({ documentId }) =>
    (documentId === best.documentId ? minOwnScoreRatio : minOtherRatio) * best.score;
}

function cutToBudget(hits: readonly Hit[], { maxChunks, maxTokens }: ContextLimits): Hit[] {
  let tokens = 0;
  return hits.slice(0, maxChunks).filter(({ content }, index) => {
    tokens += estimateTokens(content);
    return index === 0 || tokens <= maxTokens;
  });
}
