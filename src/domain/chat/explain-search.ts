import type { Context } from '../context.ts';
import type { Hit } from '../knowledge/hybrid-search.ts';
import { matchedWords, type WordSpan } from '../knowledge/matched-words.ts';
import { retrieve } from '../knowledge/retrieve.ts';
import { requireProject } from '../organizations/require-project.ts';
import { countEmbeddingTokens } from '../usage/count-embedding-tokens.ts';
import { chooseGrounds, maxGrounds } from './choose-grounds.ts';
import { isAnswerable, maxUnansweredConfidence, retrievalConfidence } from './confidence.ts';

export interface ExplainedHit {
  readonly hit: Hit;
  /** Whether the assistant would answer from it. */
  readonly isGround: boolean;
  readonly matches: readonly WordSpan[];
}

/** What the assistant would go by if it were asked. */
export interface SearchExplanation {
  /** Best first. */
  readonly results: readonly ExplainedHit[];
  readonly isAnswerable: boolean;
  /** That the results hold the answer, 0 to 1. */
  readonly confidence: number;
  readonly tookMs: number;
}

/** More than the assistant looks at, so that what just missed is seen as well. */
const shownHits = 10;

/**
 * The assistant's search for a question that begins a conversation, and what it would make of what is found. No chat
 * model is called. Throws what `requireProject` throws.
 */
export async function explainSearch(
  context: Context,
  input: { readonly projectId?: string | null; readonly query: string },
): Promise<SearchExplanation> {
  const { query } = input;
  const { id: projectId } = await requireProject(context, input.projectId, 'knowledge:read');
  const startedAt = performance.now();
  const found = await retrieve(context, { projectId, query, limit: shownHits });
  const tookMs = performance.now() - startedAt;
  await countEmbeddingTokens(context, projectId, found.embeddingTokens);

  const asked = { ...found, hits: found.hits.slice(0, maxGrounds) };
  const confidence = retrievalConfidence(query, asked);
  const isAnswered = isAnswerable(confidence, asked);
  const grounds = new Set(isAnswered ? chooseGrounds(asked.hits, context.models.chat) : []);
  return {
    results: found.hits.map((hit) => ({
      hit,
      isGround: grounds.has(hit),
      matches: matchedWords(query, hit.content),
    })),
    isAnswerable: isAnswered,
    confidence: isAnswered ? confidence : Math.min(confidence, maxUnansweredConfidence),
    tookMs,
  };
}
