import type { ServingEmbedding } from '../../models/serving-models.ts';
import type { Context } from '../context.ts';
import { readCorpusStatistics } from '../knowledge/retrieval/corpus-statistics.ts';

/**
 * Returns a context whose searches use the given embedding model. They read the database: an index of the project in
 * memory, and cached statistics, would replace those that other searches use.
 */
export function withEmbedding(context: Context, embedding: ServingEmbedding): Context {
  const { models, projectIndexes } = context;
  return {
    ...context,
    models: { ...models, servingEmbedding: () => Promise.resolve(embedding) },
    projectIndexes: { ...projectIndexes, find: () => null },
    corpusStatistics: { get: readCorpusStatistics, markStale: () => {} },
  };
}
