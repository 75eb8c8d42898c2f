import {
  type SimilarityScale,
  unchangedScale,
} from '../../../models/embedding/similarity-scale.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { dayTerms } from '../../../text/days.ts';
import { degreeWords } from '../../../text/degree-words.ts';
import { queryTerms } from '../../../text/query-terms.ts';
import { stopWords } from '../../../text/stop-words.ts';
import { foldedWords } from '../../../text/terms.ts';
import { tokenize } from '../../../text/tokenize.ts';
import type { DocumentFilter } from '../filter/document-filter.ts';
import { projectLexeme, quoteLexeme } from '../ingestion/chunk-terms.ts';
import { vectorLiteral } from '../ingestion/insert-chunks.ts';
import {
  type Corpus,
  type CorpusStatistics,
  estimateFrequencies,
  readCorpusStatistics,
} from './corpus-statistics.ts';
import type { CorpusStatisticsCache } from './corpus-statistics-cache.ts';
import { filteredSearch, hybridSearchSql } from './hybrid-search-sql.ts';
import { wantedVectors } from './searched-documents-sql.ts';

export interface SearchInput extends Corpus {
  /** Null for full-text search only. */
  readonly queryVector: Float32Array | null;
  /** Default: the statistics are read for each search. */
  readonly statistics?: CorpusStatisticsCache;
  /** How well the model's vocabulary covers the query, 0 to 1. Default 1. */
  readonly vocabularyCoverage?: number;
  /** How to compare the model's cosines with those of the built-in model. Unchanged by default. */
  readonly similarityScale?: SimilarityScale;
  readonly query: string;
  readonly limit: number;
  /** The documents to search. Null or absent: all. The weights of terms are those of the whole project in any case. */
  readonly filter?: DocumentFilter | null;
}

export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentName: string;
  /** Address of the document for readers, or null. */
  readonly sourceUrl: string | null;
  /** Metadata that the customer has set on the document. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly context: string;
  readonly page: number | null;
  readonly startOffset: number;
  readonly endOffset: number;
  /**
   * Relevance, 0 to 1, comparable between queries: the weighted mean of `similarity` and `lexical`. Lower if the
   * document covers a different period (such as a year) from the one in the query (`rankHits`).
   */
  readonly score: number;
  /**
   * Cosine similarity of chunk and query on the scale of the built-in model, 0 to 1; 0 without a vector. Includes
   * sentence similarity after `rerankBySentences`.
   */
  readonly similarity: number;
  /** BM25 score as a share of the maximum possible for the query, 0 to 1. */
  readonly lexical: number;
}

/** Returns the text of a hit with the name of its document and its headings. */
export function hitText({ documentName, context, content }: Hit): string {
  return `${documentName} ${context} ${content}`;
}

export interface SearchResult {
  /** Best first. */
  readonly hits: Hit[];
  /**
   * Terms of the query that no chunk of the project contains. With more than about 75,000 chunks, terms that are merely
   * absent from the sample may count as present.
   */
  readonly unknownTerms: ReadonlySet<string>;
  /** Inverse document frequency in the project of each term of the query. Empty if nothing is found. */
  readonly termWeights: ReadonlyMap<string, number>;
}

const noResult: SearchResult = { hits: [], unknownTerms: new Set(), termWeights: new Map() };

/**
 * Returns the best matching chunks of a project, best first, from vector and full-text search in one statement. Before,
 * reads the statistics of the project unless they are cached.
 *
 * The score is a convex combination of absolute scores (Bruch, Gai and Ingber 2023, 'An Analysis of Fusion Functions
 * for Hybrid Retrieval', which found it better than rank fusion). The lower the vocabulary coverage, the lower the
 * weight of the vectors.
 */
export async function hybridSearch(client: SqlClient, input: SearchInput): Promise<SearchResult> {
  const vector = input.modelId === null ? null : input.queryVector;
  const terms = queryTerms(input.query);
  if (vector === null && terms.length === 0) return noResult;
  const vocabularyCoverage = input.vocabularyCoverage ?? 1;
  const corpus = { projectId: input.projectId, modelId: vector && input.modelId };
  const statistics = await (input.statistics === undefined
    ? readCorpusStatistics(client, corpus, terms)
    : input.statistics.get(client, corpus, terms));
  const frequencies = estimateFrequencies(statistics, terms);
  const scale = input.similarityScale ?? unchangedScale;
  const filtered = input.filter == null ? null : filteredSearch(input.filter);
  const rows = await runSql<Row>(client, filtered?.statement ?? hybridSearchSql, [
    input.projectId,
    vector && input.modelId,
    vector && vectorLiteral(vector),
    terms.map(quoteLexeme),
    quoteLexeme(projectLexeme(input.projectId)),
    vector ? vectorWeight(vocabularyCoverage) : 0,
    input.limit,
    substitutesOf(input.query, terms),
    frequencies.map(({ expected }) => expected),
    frequencies.map(({ isRare }) => Number(isRare)),
    statistics.chunks,
    statistics.averageLength,
    filtered === null ? maxScannedVectors(statistics) : maxExactChunks(statistics),
    filtered === null ? searchListSize(statistics) : maxSearchListSize,
    ...[scale.factor, scale.offset],
    ...(filtered?.values ?? []),
  ]);
  const [first] = rows;
  const missing = first ? (first.missing ?? []).map((n) => terms[n - 1] ?? '') : terms;
  return {
    hits: rows.map(({ missing: _, weights: __, ...hit }) => hit),
    unknownTerms: new Set(missing),
    termWeights: new Map(first?.weights?.map((weight, index) => [terms[index] ?? '', weight])),
  };
}

/** `missing`: numbers of the terms that no chunk contains, from 1. `weights`: of each term. In the first row only. */
type Row = Hit & { readonly missing: number[] | null; readonly weights: number[] | null };

/**
 * Returns for each term, if no chunk contains it, which other term must be in a chunk so that it does not lower the
 * score: 0 if there is none. A function word, a word of degree or one writing of a day needs none, so the result is its
 * own number. The first letters of a word need the word, because the index contains first letters for some languages
 * only.
 */
export function substitutesOf(query: string, terms: readonly string[]): number[] {
  const functionWords = foldedWords(query).filter((word) => stopWords.has(word));
  const words = [...functionWords, ...degreeWords(query)].flatMap((word) => tokenize(word).flat());
  const optional = new Set([...words, ...dayTerms(query)]);
  const substitutes = new Map<string, number>();
  for (const [word = '', ...others] of tokenize(query)) {
    for (const term of others) {
      if (term.endsWith('*')) substitutes.set(term, terms.indexOf(word) + 1);
    }
  }
  return terms.map((term, index) =>
    optional.has(term) ? index + 1 : (substitutes.get(term) ?? 0),
  );
}

/** Returns the weight of `similarity` in a score; the rest is that of `lexical`. */
export function vectorWeight(vocabularyCoverage: number): number {
  return 0.1 + 0.35 * vocabularyCoverage;
}

/** Returns the `score` of a hit. Call it again after `similarity` changes. */
export function fusedScore(
  { similarity, lexical }: Pick<Hit, 'similarity' | 'lexical'>,
  vocabularyCoverage: number,
): number {
  const weight = vectorWeight(vocabularyCoverage);
  return weight * similarity + (1 - weight) * lexical;
}

const minIndexedChunks = 2_000;

/**
 * Returns how many vectors a search reads from the HNSW index before it scans the project exactly, or 0 for an exact
 * scan at once, which is as fast for fewer than 2,000 vectors. The index contains all projects of its partition: one of
 * `indexedVectors / chunks` vectors is of the project, and each takes ten times as long as in an exact scan. It meets
 * more vectors of others if the query is about what only other projects contain, but at most as many as take thrice an
 * exact scan.
 */
export function maxScannedVectors({ chunks, indexedVectors }: CorpusStatistics): number {
  const isFaster =
    indexedVectors > 0 &&
    chunks >= minIndexedChunks &&
    chunks * chunks > 10 * wantedVectors * indexedVectors;
  return isFaster ? Math.ceil(chunks / 5) : 0;
}

/**
 * Returns the number of matching chunks up to which a filtered search scans them exactly. The index meets
 * `indexedVectors / matching` vectors for each one that matches, and also reads the document of each.
 */
export function maxExactChunks({ chunks, indexedVectors }: CorpusStatistics): number {
  if (indexedVectors === 0 || chunks < minIndexedChunks) return 2 ** 31 - 1;
  return Math.max(
    minIndexedChunks,
    Math.ceil(Math.sqrt(20 * wantedVectors * Math.max(indexedVectors, chunks))),
  );
}

const maxSearchListSize = 200;

/**
 * Returns `hnsw.ef_search`. The shorter list takes half the time, with a recall of .97 and more, but only where nearly
 * all vectors that the scan meets are of the project.
 */
export function searchListSize({ chunks, indexedVectors }: CorpusStatistics): number {
  return indexedVectors <= Math.min(2 * chunks, 100_000) ? 100 : maxSearchListSize;
}
