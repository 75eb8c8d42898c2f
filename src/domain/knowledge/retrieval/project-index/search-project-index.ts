import type { SqlClient } from '../../../../platform/postgres/run-sql.ts';
import type { Tenant } from '../../../../platform/tenancy/tenant.ts';
import { queryTerms } from '../../../../text/query-terms.ts';
import type { Hit, SearchInput, SearchResult } from '../hybrid-search.ts';
import { findUnseen } from './document-changes.ts';
import { matchingRows, readMatchingDocuments } from './matching-rows.ts';
import type { ProjectIndexCache } from './project-index-cache.ts';
import { type IndexRanking, rankProjectIndex } from './rank-project-index.ts';
import { readHits } from './read-hits.ts';

/** Maximum number of times that a search is repeated because documents have changed. */
const maxUpdates = 2;
/** If the index already contains more than this many changes after its horizon, its position is read again. */
const maxSeenChanges = 100;

/**
 * Searches a project in memory. Then reads the documents and texts of the best chunks with one SQL statement, which
 * also returns the changes since the index was read. So the result is as current as the result of `hybridSearch`, and
 * row-level security applies. `tenant` must be the tenant of `client`.
 *
 * With a filter, first reads which documents match. The later statement checks the filter again, because a document may
 * have changed in the meantime.
 *
 * Returns null if the database must be searched: the index is not loaded, documents change faster than the index is
 * updated, or too many documents match the filter.
 */
export async function searchProjectIndex(
  { client, tenant }: { readonly client: SqlClient; readonly tenant: Tenant },
  cache: ProjectIndexCache,
  input: SearchInput,
): Promise<SearchResult | null> {
  const { projectId, modelId, query, filter = null } = input;
  const queryVector = modelId === null ? null : input.queryVector;
  if (queryVector === null && queryTerms(query).length === 0) return null;
  const loaded = cache.find({ projectId, modelId });
  if (loaded === null) return null;
  const { index } = loaded;
  if (queryVector !== null && index.vectors?.accepts(queryVector) === false) return null;
  const matching = filter && (await readMatchingDocuments(client, projectId, filter));
  if (filter !== null && matching === null) return null;
  for (let updates = 0; updates <= maxUpdates; updates += 1) {
    const { position, walPosition } = loaded;
    const rows = matching && matchingRows(index, matching);
    const ranking = rankProjectIndex(index, { ...input, queryVector }, rows);
    const { chunks } = ranking;
    const read = { projectId, chunks, filter, horizon: position.horizon, walPosition };
    const { hits, changes } = await readHits(client, tenant, cache.texts, read);
    if (findUnseen(changes, position).length === 0) {
      if (changes.length > maxSeenChanges) void cache.update(loaded);
      return toResult(query, ranking, hits);
    }
    if (!(await cache.update(loaded))) return null;
  }
  return null;
}

function toResult(query: string, ranking: IndexRanking, hits: Hit[]): SearchResult {
  const { unknownTerms, termWeights } = ranking;
  if (hits.length > 0) return { hits, unknownTerms, termWeights };
  return { hits, unknownTerms: new Set(queryTerms(query)), termWeights: new Map() };
}
