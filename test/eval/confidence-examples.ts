import {
  type ConfidenceFeatures,
  retrievalFeatures,
} from '../../src/domain/chat/evidence/confidence-features.ts';
import { measuredChunks } from '../../src/domain/chat/evidence/select-context.ts';
import type { Context } from '../../src/domain/context.ts';
import { hybridSearch } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { missingMeaning } from '../../src/domain/knowledge/retrieval/missing-meaning.ts';
import { minCandidates, rankHits } from '../../src/domain/knowledge/retrieval/rank-hits.ts';
import { unchangedScale } from '../../src/models/embedding/similarity-scale.ts';
import type { EvalSet, Question } from './dataset.ts';
import type { LoadedSet } from './evaluate-question.ts';

export interface ConfidenceExample {
  readonly set: string;
  /**
   * `asked`: the original question. `without`: the search excludes the relevant documents. `elsewhere`: the search uses
   * the documents of another set.
   */
  readonly kind: 'asked' | 'without' | 'elsewhere';
  /** See `Question.lang`. */
  readonly lang: string;
  readonly isAnswerable: boolean;
  readonly features: ConfidenceFeatures;
}

export interface SetWithDocuments {
  readonly set: EvalSet;
  readonly loaded: LoadedSet;
}

/** Every n-th question is also asked about the documents of another set. */
const mismatchedEvery = 3;

/**
 * Yields the retrieval features of every question, and of unanswerable questions that are derived from them. The sets
 * contain too few unanswerable questions, and most of those are adversarial.
 */
export async function* confidenceExamples(
  context: Context,
  sets: readonly SetWithDocuments[],
): AsyncGenerator<ConfidenceExample> {
  let asked = 0;
  for (const one of sets) {
    for (const question of one.set.questions) {
      context.signal.throwIfAborted();
      const set = one.set.name;
      const isAnswerable = question.answerable;
      const search = await prepareSearch(context, question);
      const { projectId } = one.loaded;
      const whole = await search(projectId, new Set());
      if (whole) yield { set, kind: 'asked', isAnswerable, features: whole, lang: question.lang };
      if (isAnswerable) {
        const right = question.doc_ids.flatMap((id) => one.loaded.documentIds.get(id) ?? []);
        const rest = await search(projectId, new Set(right));
        if (rest)
          yield { set, kind: 'without', isAnswerable: false, features: rest, lang: question.lang };
      }
      asked += 1;
      if (asked % mismatchedEvery > 0) continue;
      const others = sets.filter(({ set: other }) => other.documentsHash !== one.set.documentsHash);
      const other = others[asked % Math.max(1, others.length)];
      const elsewhere = other && (await search(other.loaded.projectId, new Set()));
      if (elsewhere)
        yield {
          set,
          kind: 'elsewhere',
          isAnswerable: false,
          features: elsewhere,
          lang: question.lang,
        };
    }
  }
}

/** Runs the service's retrieval without the excluded documents. Returns null if the search finds nothing. */
async function prepareSearch(context: Context, { history, question }: Question) {
  const { models, pool, signal } = context;
  const turns = history.map((content) => ({ role: 'USER' as const, content }));
  const { query } = await models.chat.rewriteQuestion({ history: turns, question }, signal);
  const { model, id } = await models.servingEmbedding();
  if (model === null || id === null) throw new Error('Nothing has been embedded');
  const embedded = await model.embed([query], { signal, kind: 'query' });
  const [queryVector = new Float32Array()] = embedded.vectors;
  const vocabularyCoverage = embedded.vocabularyCoverage?.[0] ?? 1;
  const similarityScale = (await model.similarityScale?.()) ?? unchangedScale;
  return async (projectId: string, leftOut: ReadonlySet<string>) => {
    const limit = minCandidates;
    const scores = { queryVector, vocabularyCoverage, similarityScale };
    const input = { projectId, query, modelId: id, ...scores, limit };
    const found = await hybridSearch(pool, input);
    const hits = found.hits.filter(({ documentId }) => !leftOut.has(documentId));
    if (hits.length === 0) return null;
    const { reranker } = models;
    const limited = { hits, limit: measuredChunks };
    const ranking = { query, ...scores, model, reranker, ...limited };
    const ranked = await rankHits(ranking, signal);
    const missing = await missingMeaning(model, { ...ranking, hits: ranked.hits }, signal);
    return retrievalFeatures(query, {
      ...{ hits: ranked.hits, vocabularyCoverage, termWeights: found.termWeights },
      missingMeaning: missing.share,
    });
  };
}
