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
  /** Vector of the query. Null for full-text search only. */
  readonly queryVector: Float32Array | null;
  /** Cache for the statistics. By default, each search reads them. */
  readonly statistics?: CorpusStatisticsCache;
  /** How well the model's vocabulary covers the query, 0 to 1. Default 1. */
  readonly vocabularyCoverage?: number;
  /** How to convert the model's cosine similarities to the scale of the built-in model. Default: not converted. */
  readonly similarityScale?: SimilarityScale;
  readonly query: string;
  readonly limit: number;
  /**
   * Filter of the documents to search. Null or absent: all documents. The weights of terms always come from the whole
   * project.
   */
  readonly filter?: DocumentFilter | null;
}

export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentName: string;
  /** Web address of the document, for readers. Null if it has none. */
  readonly sourceUrl: string | null;
  /** Metadata that the customer has set on the document. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly context: string;
  readonly page: number | null;
  readonly startOffset: number;
  readonly endOffset: number;
  /** The blocks of the content (`readBlockSpans`). Null or absent if they are not known. */
  readonly blocks?: string | null;
  /**
   * Relevance, 0 to 1, comparable between queries: the weighted mean of `similarity` and `lexical`. Reduced if the
   * query names a period, such as a year, and the document covers a different period (`rankHits`).
   */
  readonly score: number;
  /**
   * Cosine similarity of the chunk and the query, 0 to 1, on the scale of the built-in model. 0 without a vector. After
   * `rerankBySentences`, includes the similarity of sentences.
   */
  readonly similarity: number;
  /** BM25 score of the chunk, divided by the maximum possible score for the query, 0 to 1. */
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
   * Terms of the query that no chunk of the project contains. In projects with more than about 75,000 chunks, the set
   * may be incomplete: a term that is not in the sample may count as present.
   */
  readonly unknownTerms: ReadonlySet<string>;
  /** Inverse document frequency of each query term in the project. Empty if nothing is found. */
  readonly termWeights: ReadonlyMap<string, number>;
}

const noResult: SearchResult = { hits: [], unknownTerms: new Set(), termWeights: new Map() };

/**
 * Returns the best matching chunks of a project, best first, from vector and full-text search with one SQL statement.
 * If the statistics of the project are not cached, reads them first.
 *
 * The score is a convex combination of absolute scores. Bruch, Gai and Ingber 2023 ('An Analysis of Fusion Functions
 * for Hybrid Retrieval') found this better than rank fusion. The lower the vocabulary coverage is, the lower is the
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

/**
 * `missing`: numbers (from 1) of the terms that no chunk contains. `weights`: one weight per term. Both are only in the
 * first row.
 */
type Row = Hit & { readonly missing: number[] | null; readonly weights: number[] | null };

/**
 * Returns the number of each term's substitute, from 1, or 0 if the term has no substitute. A term that no chunk
 * contains lowers the scores. It does not lower them if a chunk contains its substitute. Function words, words of
 * degree and the different spellings of a day never lower the scores: such a term is its own substitute. The substitute
 * of a word's first letters is the word itself, because the index contains first letters only for some languages.
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

/** Returns the vector in pgvector's text form. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** Returns the weight of `similarity` in a score. The weight of `lexical` is 1 minus this weight. */
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
 * Returns how many vectors a search reads from the HNSW index before it scans the project exactly instead. Returns 0 if
 * the search should scan exactly from the start: for fewer than 2,000 vectors, this is as fast. The index contains the
 * vectors of all projects in the partition. On average, one of `indexedVectors / chunks` vectors belongs to this
 * project. Reading a vector from the index takes ten times as long as in an exact scan. If the query is about a topic
 * of other projects, the index returns more of their vectors. The limit ensures that a search takes at most three times
 * as long as an exact scan.
 */
export function maxScannedVectors({ chunks, indexedVectors }: CorpusStatistics): number {
  const isFaster =
    indexedVectors > 0 &&
    chunks >= minIndexedChunks &&
    chunks * chunks > 10 * wantedVectors * indexedVectors;
  return isFaster ? Math.ceil(chunks / 5) : 0;
}

/**
 * Returns a number of chunks. If a filter matches at most this many, the search scans them exactly. With the index, the
 * search would read `indexedVectors / matching` vectors for each matching vector, and also the document of each.
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
 * Returns the value of `hnsw.ef_search`, the length of the search list. The shorter list takes half the time and has a
 * recall of at least .97, but only if nearly all vectors that the search reads from the index belong to the project.
 */
export function searchListSize({ chunks, indexedVectors }: CorpusStatistics): number {
  return indexedVectors <= Math.min(2 * chunks, 100_000) ? 100 : maxSearchListSize;
}
