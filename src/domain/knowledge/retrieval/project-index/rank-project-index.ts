import {
  type SimilarityScale,
  scaledSimilarity,
  unchangedScale,
} from '../../../../models/embedding/similarity-scale.ts';
import { dotProductScale } from '../../../../platform/vectors/vector-rows.ts';
import { vectorWeight } from '../hybrid-search.ts';
import { maxReadChunks, wantedVectors } from '../searched-documents-sql.ts';
import { bm25 } from './bm25.ts';
import type { MatchingRows } from './matching-rows.ts';
import type { ProjectIndex } from './project-index.ts';
import { TopRows } from './top-rows.ts';
import { type WeighedTerm, weighTerms } from './weigh-terms.ts';

export interface IndexQuery {
  readonly query: string;
  /** Vector of the query. Null for full-text search only. */
  readonly queryVector: Float32Array | null;
  readonly vocabularyCoverage?: number;
  readonly similarityScale?: SimilarityScale;
  readonly limit: number;
}

export interface RankedChunk {
  readonly id: string;
  readonly documentId: string;
  readonly score: number;
  readonly similarity: number;
  readonly lexical: number;
}

export interface IndexRanking {
  /** The ranked chunks, best first. */
  readonly chunks: readonly RankedChunk[];
  readonly unknownTerms: ReadonlySet<string>;
  readonly termWeights: ReadonlyMap<string, number>;
}

/**
 * Number of chunks that terms find, in addition to the chunks that vectors find. The same number as in the step `rare`
 * of `hybridSearchSql`.
 */
const wantedByTerms = 200;

/**
 * Ranks the chunks of an index with the same rules as `hybridSearchSql`. Change both together: a test compares them.
 * There are two differences: this function counts all chunks instead of a sample, and compares all vectors instead of
 * only those that an HNSW index finds. If `matching` is set, ranks only these rows.
 */
export function rankProjectIndex(
  index: ProjectIndex,
  input: IndexQuery,
  matching: MatchingRows | null = null,
): IndexRanking {
  const { terms, maxScore, unknownTerms } = weighTerms(index, input.query);
  const averageLength = Math.max(1, index.totalLength / Math.max(1, index.chunks));
  const products =
    index.vectors && input.queryVector && index.vectors.dotProducts(input.queryVector);
  const commonTerms = terms.filter(({ isRare }) => !isRare);
  const findsByCommonTerms = matching !== null && matching.count <= maxReadChunks;
  const findingTerms = findsByCommonTerms ? terms : terms.filter(({ isRare }) => isRare);
  const found = findByTerms(index, findingTerms, averageLength, matching);
  const candidates = new Set(found.keys());
  if (products !== null) {
    for (const row of nearestRows(index, products, matching)) candidates.add(row);
  }

  const weight = input.queryVector === null ? 0 : vectorWeight(input.vocabularyCoverage ?? 1);
  const scale = input.similarityScale ?? unchangedScale;
  const scoresOf = (row: number) => {
    const foundScore = found.get(row);
    let raw = foundScore ?? 0;
    if (foundScore === undefined || !findsByCommonTerms) {
      const relativeLength = index.lengthOf(row) / averageLength;
      for (const { number, idf } of commonTerms) {
        raw += idf * bm25(index.frequency(row, number), relativeLength);
      }
    }
    const lexical = Math.min(raw / maxScore, 1);
    const isCompared = products !== null && index.hasVector(row);
    const cosine = isCompared ? (products[row] ?? 0) * dotProductScale : 0;
    const similarity = isCompared ? scaledSimilarity(cosine, scale) : 0;
    return { score: weight * similarity + (1 - weight) * lexical, similarity, lexical };
  };
  const best = new TopRows(input.limit, (left, right) => index.compareIds(left, right));
  for (const row of candidates) best.add(row, scoresOf(row).score);
  const chunks = best.best().map(({ row }) => {
    return { id: index.idOf(row), documentId: index.documentOf(row), ...scoresOf(row) };
  });
  const termWeights = chunks.length === 0 ? [] : terms.map(({ term, idf }) => [term, idf] as const);
  return { chunks, unknownTerms, termWeights: new Map(termWeights) };
}

/** Returns the chunks with the highest scores for the terms, with these scores. */
function findByTerms(
  index: ProjectIndex,
  terms: readonly WeighedTerm[],
  averageLength: number,
  matching: MatchingRows | null,
): Map<number, number> {
  if (scoreOfRow.length < index.rows) scoreOfRow = new Float64Array(Math.ceil(1.25 * index.rows));
  const rows: number[] = [];
  for (const { number, idf } of terms) {
    index.forEachChunk(number, (row, frequency) => {
      if (matching !== null && matching.isMatching[row] !== 1) return;
      const score = scoreOfRow[row] ?? 0;
      if (score === 0) rows.push(row);
      scoreOfRow[row] = score + idf * bm25(frequency, index.lengthOf(row) / averageLength);
    });
  }
  const best = new TopRows(wantedByTerms, (left, right) => index.compareIds(left, right));
  for (const row of rows) {
    best.add(row, scoreOfRow[row] ?? 0);
    scoreOfRow[row] = 0;
  }
  return new Map(best.best().map(({ row, score }) => [row, score]));
}

/** Scratch memory that calls reuse. All elements are 0 between two calls. */
let scoreOfRow = new Float64Array(0);

function nearestRows(
  index: ProjectIndex,
  products: Int32Array,
  matching: MatchingRows | null,
): number[] {
  const nearest = new TopRows(wantedVectors);
  let minProduct = nearest.minScore;
  for (let row = 0; row < index.rows; row += 1) {
    const product = products[row] ?? 0;
    if (product < minProduct || !index.isSearchedByVector(row)) continue;
    if (matching !== null && matching.isMatching[row] !== 1) continue;
    nearest.add(row, product);
    minProduct = nearest.minScore;
  }
  return nearest.best().map(({ row }) => row);
}
