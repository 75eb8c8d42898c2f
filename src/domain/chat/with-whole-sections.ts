import { defaultContextLimits } from '../../models/context-limits.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, fromReplica } from '../context.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import type { ContextReader } from './evidence/select-context.ts';
import {
  addWholeSections,
  isWholeSection,
  type NearChunk,
  nearChunks,
} from './evidence/whole-sections.ts';

/** Number of hits whose sections are completed. The answer is mostly in one of the first hits. */
const completedHits = 4;

/**
 * Adds the rest of the sections that the first hits are a part of, if the model can read long texts. Reads the chunks with
 * one statement, and with none if all these hits are whole sections.
 */
export async function withWholeSections(
  context: Pick<Context, 'caller' | 'database' | 'prisma' | 'pool' | 'db'>,
  projectId: string,
  hits: readonly Hit[],
  { isExtractive = false, contextLimits = defaultContextLimits }: ContextReader,
): Promise<readonly Hit[]> {
  if (isExtractive || contextLimits.maxSectionTokens === 0) return hits;
  const parts = hits.slice(0, completedHits).filter((hit) => !isWholeSection(hit));
  if (parts.length === 0) return hits;
  const ids = parts.map(({ chunkId }) => chunkId);
  const { pool } = fromReplica(context);
  const near = await runSql<NearChunk>(pool, nearChunksSql, [projectId, ids, nearChunks]);
  return addWholeSections(hits, near, contextLimits);
}

/** Parameters: $1 project, $2 chunks, $3 number of chunks before and after each. */
const nearChunksSql = `
  select distinct on (near.document_id, near.position)
    near.id as "chunkId", near.document_id as "documentId", near.position, near.content, near.context, near.page,
    near.start_offset as "startOffset", near.end_offset as "endOffset", near.blocks
  from grounded.chunks own
  join grounded.chunks near
    on near.project_id = own.project_id and near.document_id = own.document_id and near.attempt = own.attempt
    and near.position between own.position - $3::int and own.position + $3::int
  where own.project_id = $1::uuid and own.id = any($2::uuid[])
  order by near.document_id, near.position`;
