import { maxGrounds } from '../../src/domain/chat/choose-grounds.ts';
import {
  type ConfidenceFeatures,
  retrievalFeatures,
} from '../../src/domain/chat/confidence-features.ts';
import type { Context } from '../../src/domain/context.ts';
import { hybridSearch } from '../../src/domain/knowledge/hybrid-search.ts';
import { rankedCandidates, rankHits } from '../../src/domain/knowledge/rank-hits.ts';
import { poolSql } from '../../src/domain/run-sql.ts';
import type { LoadedSet } from './ask.ts';
import type { EvalSet, Question } from './dataset.ts';

export interface ConfidenceExample {
  readonly set: string;
  /** As the set asks it; with its right documents taken away; or asked of the documents of another set. */
  readonly kind: 'asked' | 'without' | 'elsewhere';
  readonly isAnswerable: boolean;
  readonly features: ConfidenceFeatures;
}

export interface Loaded {
  readonly set: EvalSet;
  readonly loaded: LoadedSet;
}

/** One question in this many is also asked of other documents. */
const elsewhereEvery = 3;

/**
 * What retrieval finds for every question, and for questions that were made unanswerable: sets hold too few of these,
 * and mostly those that were written to mislead.
 */
export async function* confidenceExamples(
  context: Context,
  sets: readonly Loaded[],
): AsyncGenerator<ConfidenceExample> {
  let asked = 0;
  for (const one of sets) {
    for (const question of one.set.questions) {
      context.signal.throwIfAborted();
      const set = one.set.name;
      const isAnswerable = question.answerable;
      const search = await searchFor(context, question);
      const { projectId } = one.loaded;
      const whole = await search(projectId, new Set());
      if (whole) yield { set, kind: 'asked', isAnswerable, features: whole };
      if (isAnswerable) {
        const right = question.doc_ids.flatMap((id) => one.loaded.documentIds.get(id) ?? []);
        const rest = await search(projectId, new Set(right));
        if (rest) yield { set, kind: 'without', isAnswerable: false, features: rest };
      }
      asked += 1;
      if (asked % elsewhereEvery > 0) continue;
      const others = sets.filter(({ set: other }) => other.documentsHash !== one.set.documentsHash);
      const other = others[asked % Math.max(1, others.length)];
      const elsewhere = other && (await search(other.loaded.projectId, new Set()));
      if (elsewhere) yield { set, kind: 'elsewhere', isAnswerable: false, features: elsewhere };
    }
  }
}

/** Retrieval as the service does it, but for the documents left out; null where nothing is found. */
async function searchFor(context: Context, { history, question }: Question) {
  const { models, pool, signal } = context;
  const turns = history.map((content) => ({ role: 'USER' as const, content }));
  const { query } = await models.chat.rewriteQuestion({ history: turns, question }, signal);
  const { model, id } = await models.servingEmbedding();
  if (model === null || id === null) throw new Error('Nothing has been embedded');
  const embedded = await model.embed([query], { signal, kind: 'query' });
  const [queryVector = new Float32Array()] = embedded.vectors;
  const familiarity = embedded.familiarity?.[0] ?? 1;
  return async (projectId: string, leftOut: ReadonlySet<string>) => {
    const limit = rankedCandidates;
    const input = { projectId, query, modelId: id, queryVector, familiarity, limit };
    const hits = (await hybridSearch(poolSql(pool), input)).filter(
      ({ documentId }) => !leftOut.has(documentId),
    );
    if (hits.length === 0) return null;
    const { reranker } = models;
    const limited = { hits, limit: maxGrounds };
    const ranking = { query, queryVector, familiarity, model, reranker, ...limited };
    const ranked = await rankHits(ranking, signal);
    return retrievalFeatures(query, { hits: ranked.hits, familiarity });
  };
}
