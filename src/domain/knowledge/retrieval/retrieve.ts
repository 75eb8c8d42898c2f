import { isTemporary } from '../../../models/embedding/embedding-failure.ts';
import {
  type SimilarityScale,
  unchangedScale,
} from '../../../models/embedding/similarity-scale.ts';
import type { EmbeddingModel, Embeddings } from '../../../models/models.ts';
import { inSpan } from '../../../platform/tracing/tracer.ts';
import { coreQuestion } from '../../../text/core-question.ts';
import { withDaysOf } from '../../../text/days.ts';
import { isQuestionWord } from '../../../text/question-words.ts';
import { withRatesOf } from '../../../text/rates.ts';
import { fold } from '../../../text/tokenize.ts';
import { tenantOf } from '../../caller-tenant.ts';
import { type Context, fromReplica } from '../../context.ts';
import type { TokenCount } from '../../usage/token-count.ts';
import { callerFilter } from '../filter/caller-filter.ts';
import { allOf, type DocumentFilter } from '../filter/document-filter.ts';
import { type CorrectedQuery, type Corrections, correctQuery } from './correct-query.ts';
import { type Hit, hitText, hybridSearch, type SearchInput } from './hybrid-search.ts';
import { missingMeaning } from './missing-meaning.ts';
import { searchProjectIndex } from './project-index/search-project-index.ts';
import { minCandidates, rankHits } from './rank-hits.ts';

export interface Retrieval {
  /**
   * The query that was searched. Polite phrases are removed, misspelled words are corrected, and days and units of
   * prices are written as in the hits.
   */
  readonly query: string;
  /** Misspelled words with their corrections. */
  readonly corrections: Corrections;
  /** Hits, best first. */
  readonly hits: readonly Hit[];
  /** All hits of the search, also those that were not ranked. Best first, before near-duplicates are removed. */
  readonly searched: readonly Hit[];
  /** The searched hits without near-duplicates. */
  readonly distinct: readonly Hit[];
  /** Tokens of the embedding model and of the reranker. */
  readonly tokens: readonly TokenCount[];
  /** Name of the embedding model that was searched. Null for full-text search only. */
  readonly embeddingModel: string | null;
  /** How well the model's vocabulary covers the query, 0 to 1. 1 if unknown. */
  readonly vocabularyCoverage: number;
  /** See `SearchResult.termWeights`. */
  readonly termWeights: ReadonlyMap<string, number>;
  /** How much of the query's meaning is in words that no hit contains, 0 to 1. 0 if it was not measured. */
  readonly missingMeaning: number;
}

type RetrievalContext = Pick<
  Context,
  | 'caller'
  | 'database'
  | 'prisma'
  | 'db'
  | 'pool'
  | 'models'
  | 'corpusStatistics'
  | 'projectIndexes'
  | 'signal'
>;

/**
 * Retrieves the best chunks for a query. Answers and `POST /knowledge/search` both use it. First removes polite phrases
 * from the query and corrects misspelled words. Then embeds the query with the model that computed the stored vectors,
 * searches the index in memory or, until it is loaded, with one SQL statement, and ranks the hits. While the model is
 * temporarily unavailable, uses full-text search only. If the hits write the days of the query in another format, or
 * the unit of a price, searches again in this format: the numbers and the vector of "4 March 2026" differ from those of
 * "2026-03-04", and the words of "for one day" from those of "per day".
 */
export function retrieve(context: RetrievalContext, input: RetrievalInput): Promise<Retrieval> {
  const attributes = {
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': input.projectId,
  };
  return inSpan('retrieval', { attributes }, async (span) => {
    const retrieval = await searchAndRank(context, input);
    span?.setAttributes({ 'grounded_chat.retrieval.hits': retrieval.hits.length });
    return retrieval;
  });
}

interface RetrievalInput {
  readonly projectId: string;
  readonly query: string;
  readonly limit: number;
  /** Whether to compute `missingMeaning`. Only the confidence needs it. Default: true. */
  readonly measuresMeaning?: boolean;
  /**
   * Filter of the documents to search, in addition to the filter of the calling API key. Null or absent: all
   * documents.
   */
  readonly filter?: DocumentFilter | null;
}

async function searchAndRank(context: RetrievalContext, input: RetrievalInput): Promise<Retrieval> {
  const { caller, models, corpusStatistics, projectIndexes, signal } = context;
  const { projectId, limit, measuresMeaning = true } = input;
  const { pool } = fromReplica(context);
  const { model, id } = await models.servingEmbedding();
  const statistics = corpusStatistics;
  const filter = allOf([callerFilter(caller), input.filter ?? null]);
  const count = Math.max(2 * limit, minCandidates);
  const limits = { projectId, modelId: id, statistics, limit: count, filter };
  const search = (query: string) =>
    embedAndSearch({ pool, projectIndexes, caller }, model, { ...limits, query }, signal);
  const first = await search(coreQuestion(input.query));
  const suggested = await correctQuery(pool, { ...first, projectId, model }, signal);
  const again = suggested.query === first.query ? null : await search(suggested.query);
  const isKept = again === null || filter === null || containsCorrections(again.hits, suggested);
  const corrected = isKept ? suggested : { ...suggested, corrections: noCorrections };
  const spelled = (isKept ? again : null) ?? first;
  const texts = spelled.hits.map(hitText);
  const written = withRatesOf(texts, withDaysOf(texts, spelled.query));
  const dated = written === spelled.query ? null : await search(written);
  const { query, queryVector, vocabularyCoverage, similarityScale } = dated ?? spelled;
  const { termWeights, hits: found } = dated ?? spelled;
  const { reranker } = models;
  const scores = { queryVector, vocabularyCoverage, similarityScale };
  const ranking = { query, ...scores, model, reranker, hits: found, limit };
  const { hits, distinct, ...ranked } = await rankHits(ranking, signal);
  const missing = measuresMeaning
    ? await missingMeaning(model, { ...ranking, hits }, signal)
    : { share: 0, embeddingTokens: 0 };
  const searchTokens =
    first.tokens + corrected.embeddingTokens + (again?.tokens ?? 0) + (dated?.tokens ?? 0);
  const embedded = searchTokens + ranked.embeddingTokens + missing.embeddingTokens;
  const tokens: TokenCount[] = [];
  if (model !== null) tokens.push({ model: model.name, kind: 'EMBEDDING', tokens: embedded });
  if (reranker !== null) {
    tokens.push({ model: reranker.name, kind: 'RERANK', tokens: ranked.rerankTokens });
  }
  return {
    query,
    corrections: corrected.corrections,
    hits,
    searched: found,
    distinct,
    tokens,
    embeddingModel: queryVector === null ? null : (model?.name ?? null),
    vocabularyCoverage,
    termWeights,
    missingMeaning: missing.share,
  };
}

const noCorrections: Corrections = new Map();

/**
 * Returns whether the hits contain all corrected words. Ignores words that are common in questions, because these
 * corrections do not come from a document. Without this check, a correction could reveal a word from a document that
 * the filter excludes.
 */
function containsCorrections(hits: readonly Hit[], { corrections }: CorrectedQuery): boolean {
  const texts = hits.map((hit) => fold(hitText(hit)));
  return [...corrections.values()].every(
    (word) => isQuestionWord(word) || texts.some((text) => text.includes(fold(word))),
  );
}

async function embedAndSearch(
  { pool, projectIndexes, caller }: Pick<RetrievalContext, 'pool' | 'projectIndexes' | 'caller'>,
  model: EmbeddingModel | null,
  input: Omit<SearchInput, 'queryVector' | 'vocabularyCoverage'>,
  signal: AbortSignal,
) {
  const { query } = input;
  const embedding =
    model === null || input.modelId === null ? null : await embedQuery(model, query, signal);
  const queryVector = embedding?.vectors[0] ?? null;
  const vocabularyCoverage = embedding?.vocabularyCoverage?.[0] ?? 1;
  const similarityScale = embedding?.similarityScale ?? unchangedScale;
  const scores = { queryVector, vocabularyCoverage, similarityScale };
  const search = { ...input, ...scores };
  const tenant = tenantOf(caller);
  const found =
    (await searchProjectIndex({ client: pool, tenant }, projectIndexes, search)) ??
    (await hybridSearch(pool, search));
  return { ...found, ...scores, query, tokens: embedding?.tokens ?? 0 };
}

/** Returns the vector of the query, or null if the model is temporarily unavailable. */
async function embedQuery(
  model: EmbeddingModel,
  query: string,
  signal: AbortSignal,
): Promise<(Embeddings & { readonly similarityScale: SimilarityScale }) | null> {
  try {
    const embeddings = await model.embed([query], { signal, kind: 'query' });
    const similarityScale = (await model.similarityScale?.()) ?? unchangedScale;
    return { ...embeddings, similarityScale };
  } catch (error) {
    signal.throwIfAborted();
    if (isTemporary(error)) return null;
    throw error;
  }
}
