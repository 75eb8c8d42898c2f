import type { Context } from '../context.ts';
import { correctSpelling } from '../knowledge/retrieval/correct-query.ts';
import { highlightSpans, type WordSpan } from '../knowledge/retrieval/highlight-spans.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import { retrieve } from '../knowledge/retrieval/retrieve.ts';
import { requireProject } from '../organizations/require-project.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { isModelAsked, maxFallbackConfidence } from './evidence/answer-rule.ts';
import { measureConfidence } from './evidence/confidence.ts';
import { contextChunkLimit } from './evidence/select-context.ts';
import { readPassages } from './find-passages.ts';
import { withProjectModel } from './project-model.ts';
import { inWordsOfChunks } from './retrieve-question.ts';

export interface ExplainedHit {
  readonly hit: Hit;
  /** Whether the assistant would give this chunk to the model as context. */
  readonly isGround: boolean;
  readonly matches: readonly WordSpan[];
}

/** Shows how the assistant ranks and uses the project's knowledge for a query. */
export interface SearchExplanation {
  /** Results, best first. */
  readonly results: readonly ExplainedHit[];
  readonly isAnswerable: boolean;
  /** The query with corrected spelling, which the search used. Null if nothing was corrected. */
  readonly correctedQuery: string | null;
  /** Probability that the results contain the answer, 0 to 1. */
  readonly confidence: number;
  readonly tookMs: number;
}

/** Number of results. Includes results that the assistant would not use, so that operators see near misses. */
const maxShownHits = 10;

/**
 * Runs the assistant's retrieval as for the first question of a conversation, and reports which chunks an answer would
 * use. Does not call the chat model for an answer.
 *
 * @throws DomainError from `requireProject`.
 */
export async function explainSearch(
  context: Context,
  input: { readonly projectId?: string | null; readonly query: string },
): Promise<SearchExplanation> {
  const { query } = input;
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  const { id: projectId, confidenceThreshold } = project;
  const model = withProjectModel(context, project).models.chat;
  const limit = contextChunkLimit(model);
  const startedAt = performance.now();
  const found = inWordsOfChunks(
    await retrieve(context, { projectId, query, limit: Math.max(maxShownHits, limit) }),
  );
  const tookMs = performance.now() - startedAt;
  await countTokens(context, projectId, found.tokens);

  const { retrieved: topRetrieval, contextChunks: hits } = await readPassages(
    { chat: model },
    {
      ...{ instructions: null, history: [], question: query },
      retrieved: { ...found, hits: found.hits.slice(0, limit) },
    },
    context.signal,
  );
  const { beforeAnswer: confidence } = measureConfidence(found.query, topRetrieval);
  const isAnswered = isModelAsked({ model, confidenceThreshold }, topRetrieval, () => confidence);
  const contextChunks = new Set(isAnswered ? hits : []);
  return {
    results: found.hits.slice(0, maxShownHits).map((hit) => ({
      hit,
      isGround: contextChunks.has(hit),
      matches: highlightSpans(found.query, hit.content),
    })),
    isAnswerable: isAnswered,
    correctedQuery: correctSpelling(query, found.corrections),
    confidence: isAnswered ? confidence : Math.min(confidence, maxFallbackConfidence),
    tookMs,
  };
}
