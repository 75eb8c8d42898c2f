import { runSql, type SqlClient } from '../../../../platform/postgres/run-sql.ts';
import { queryTerms } from '../../../../text/tokenize.ts';
import type { Hit, SearchInput, SearchResult } from '../hybrid-search.ts';
import { type ChangeList, changesSql, findUnseen } from './document-changes.ts';
import type { ProjectIndexCache } from './project-index-cache.ts';
import { type IndexRanking, rankProjectIndex } from './rank-project-index.ts';

/** Number of times that a search is ranked again because documents have changed. */
const maxUpdates = 2;
/** Changes that an index has already seen, from which its position is read again. */
const maxSeenChanges = 100;

/**
 * Searches a project in memory, then reads the texts of the best chunks with one statement, which also returns what has
 * changed since the index was read. So the result is as current as that of `hybridSearch`, and row-level security
 * applies. Returns null if the database must be searched: there is a filter, the index is not loaded, or it changes faster than it is
 * updated.
 */
export async function searchProjectIndex(
  client: SqlClient,
  cache: ProjectIndexCache,
  input: SearchInput,
): Promise<SearchResult | null> {
  const { projectId, modelId, query } = input;
  if (input.filter != null) return null;
  const queryVector = modelId === null ? null : input.queryVector;
  if (queryVector === null && queryTerms(query).length === 0) return null;
  const loaded = cache.find({ projectId, modelId });
  if (loaded === null) return null;
  const { index } = loaded;
  if (queryVector !== null && index.vectors?.accepts(queryVector) === false) return null;
  for (let updates = 0; updates <= maxUpdates; updates += 1) {
    const { position } = loaded;
    const ranking = rankProjectIndex(index, { ...input, queryVector });
    const { chunks, changes } = await readChunks(client, projectId, ranking, position.horizon);
    if (findUnseen(changes, position).length === 0) {
      if (changes.length > maxSeenChanges) void cache.update(loaded);
      return toResult(query, ranking, chunks);
    }
    if (!(await cache.update(loaded))) return null;
  }
  return null;
}

type Chunk = Omit<Hit, 'score' | 'similarity' | 'lexical'>;

function toResult(
  query: string,
  ranking: IndexRanking,
  chunks: ReadonlyMap<string, Chunk>,
): SearchResult {
  const hits = ranking.chunks.flatMap(({ id, score, similarity, lexical }) => {
    const chunk = chunks.get(id);
    return chunk === undefined ? [] : [{ ...chunk, score, similarity, lexical }];
  });
  if (hits.length === 0) {
    return { hits, unknownTerms: new Set(queryTerms(query)), termWeights: new Map() };
  }
  return { hits, unknownTerms: ranking.unknownTerms, termWeights: ranking.termWeights };
}

/** Chunks that were deleted in the meantime, or that the caller may not read, are missing from the result. */
async function readChunks(
  client: SqlClient,
  projectId: string,
  { chunks }: IndexRanking,
  horizon: string,
): Promise<{ readonly chunks: ReadonlyMap<string, Chunk>; readonly changes: ChangeList }> {
  const ids = chunks.map(({ id }) => id);
  const rows = await runSql<Row>(client, readSql, [projectId, ids, horizon]);
  const found = rows.flatMap(({ changes: _, chunkId, ...row }) =>
    chunkId === null ? [] : [[chunkId, { chunkId, ...row }] as const],
  );
  return { chunks: new Map(found), changes: rows[0]?.changes ?? [] };
}

/** Without a chunk, a row contains only the changes. */
interface Row extends Omit<Chunk, 'chunkId'> {
  readonly chunkId: string | null;
  readonly changes: ChangeList;
}

/** $1 project, $2 chunks, $3 horizon. */
const readSql = {
  name: 'read-ranked-chunks',
  text: `
  select h.*, v.changes from (select ${changesSql('$1', '$3')} as changes) v left join (
    select c.id as "chunkId", c.document_id as "documentId", d.name as "documentName",
      d.source_url as "sourceUrl", d.metadata, c.content, c.context, c.page,
      c.start_offset as "startOffset", c.end_offset as "endOffset"
    from grounded.published_chunks c
    join grounded.documents d on d.project_id = c.project_id and d.id = c.document_id
    where c.project_id = $1::uuid and c.id = any ($2::uuid[])
  ) h on true`,
};
