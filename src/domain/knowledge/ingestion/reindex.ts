import { requireDimensions } from '../../../models/embedding/require-dimensions.ts';
import type { EmbeddingModel } from '../../../models/models.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../../context.ts';
import { requirePermission } from '../../permissions.ts';
import { buildVectorIndexes } from './build-vector-indexes.ts';
import { embeddingInput } from './chunk-terms.ts';
import { ensureEmbeddingModel } from './embedding-model-row.ts';
import { removeRetiredVectorsJob } from './remove-retired-vectors.ts';
import { vectorArray } from './vector-array.ts';

export interface ReindexReport {
  /** Name of the embedding model that is active after the call. */
  readonly model: string;
  readonly embeddedChunks: number;
}

const batchSize = 200;

/**
 * Embeds all chunks with the configured model, and then makes this model the active model in one transaction. Until
 * then, searches use the old vectors. A job deletes the old vectors `retireDelaySeconds` later. Safe to cancel and to
 * run again, because existing vectors are kept. Requires the service role.
 *
 * @throws DomainError FORBIDDEN when the caller does not have the service role.
 */
export async function reindex(
  context: Context,
  onProgress: (embeddedChunks: number) => void = () => {},
): Promise<ReindexReport> {
  requirePermission(context.caller, 'organization:create');
  const { configuredEmbedding } = context.models;
  const probe = await configuredEmbedding.embed(['dimensions'], { signal: context.signal });
  const dimensions = probe.vectors[0]?.length ?? 0;
  const model = requireDimensions(configuredEmbedding, dimensions);
  const modelId = await ensureEmbeddingModel(context.db, { name: model.name, dimensions });

  await runSql(context.db, restoreModel, [modelId]);

  let embeddedChunks = 0;
  do {
    for (let last: ChunkKey | null = lowestKey; last !== null; ) {
      context.signal.throwIfAborted();
      const batch: Batch = await embedBatch(context, { model, modelId }, last);
      last = batch.last;
      embeddedChunks += batch.embedded;
      if (batch.embedded > 0) onProgress(embeddedChunks);
    }
    await buildVectorIndexes({ ...context, pool: context.database.ownerPool });
  } while (!(await activateModel(context, modelId)));
  context.models.refresh();
  return { model: model.name, embeddedChunks };
}

interface ChunkKey {
  readonly projectId: string;
  readonly id: string;
}

interface Batch {
  readonly embedded: number;
  /** Last chunk of the batch. Null if no chunk is left. */
  readonly last: ChunkKey | null;
}

const lowestKey: ChunkKey = {
  projectId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

async function embedBatch(
  context: Context,
  { model, modelId }: { readonly model: EmbeddingModel; readonly modelId: number },
  after: ChunkKey,
): Promise<Batch> {
  const rows = await runSql<ChunkRow>(context.pool, findChunksWithoutVector, [
    modelId,
    after.projectId,
    after.id,
    batchSize,
  ]);
  if (rows.length === 0) return { embedded: 0, last: null };
  const { vectors } = await model.embed(
    rows.map((row) => embeddingInput(row.documentName, row)),
    { signal: context.signal },
  );
  await runSql(context.pool, insertVectors, [
    modelId,
    rows.map((row) => row.projectId),
    rows.map((row) => row.id),
    vectorArray(vectors),
  ]);
  return { embedded: rows.length, last: rows.at(-1) ?? null };
}

/**
 * Activates the model. If some chunks still have no vector, changes nothing and returns false. Ingestion holds a share
 * lock on the active model until it commits, so this function misses no chunk.
 */
async function activateModel(context: Context, modelId: number): Promise<boolean> {
  return transaction(context, async ({ db, queue }) => {
    await runSql(db, 'select id from grounded.embedding_models for update');
    const missing = await runSql(db, findAnyChunkWithoutVector, [modelId]);
    if (missing.length > 0) return false;
    await runSql(
      db,
      `update grounded.embedding_models set status = 'RETIRED' where status = 'ACTIVE' and id <> $1::smallint`,
      [modelId],
    );
    await runSql(
      db,
      `update grounded.embedding_models set status = 'ACTIVE' where id = $1::smallint`,
      [modelId],
    );
    await queue.enqueue(db, removeRetiredVectorsJob, {}, { delaySeconds: retireDelaySeconds });
    return true;
  });
}

/**
 * Delay before the old vectors are deleted. Much longer than the time for which other processes cache the active model
 * (`createServingModels`).
 */
const retireDelaySeconds = 60;

interface ChunkRow extends ChunkKey {
  readonly documentName: string;
  readonly content: string;
  readonly context: string;
}

/**
 * If a model was retired but its vectors are not deleted yet, sets it to `BUILDING`, so that its vectors are used
 * again.
 */
const restoreModel = `
  update grounded.embedding_models set status = 'BUILDING' where id = $1::smallint and status = 'RETIRED'`;

/** Ordered by primary key, so that a batch does not scan the chunks of earlier batches again. */
const findChunksWithoutVector = `
  select c.project_id as "projectId", c.id, d.name as "documentName", c.content, c.context
  from grounded.chunks c
  join grounded.documents d on d.project_id = c.project_id and d.id = c.document_id
  where (c.project_id, c.id) > ($2::uuid, $3::uuid) and not exists (
    select from grounded.chunk_vectors v
    where v.project_id = c.project_id and v.chunk_id = c.id and v.model_id = $1::smallint)
  order by c.project_id, c.id limit $4::int`;

const findAnyChunkWithoutVector = `
  select from grounded.chunks c where not exists (
    select from grounded.chunk_vectors v
    where v.project_id = c.project_id and v.chunk_id = c.id and v.model_id = $1::smallint)
  limit 1`;

/**
 * Skips chunks that were deleted in the meantime, and chunks that another call of `reindex` has already embedded. If
 * the model is active, also records that the searchable documents have changed.
 */
const insertVectors = `
  with added as (
  insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
  select c.project_id, c.id, $1::smallint, t.vector
  from unnest($2::uuid[], $3::uuid[], $4::grounded.embedding[]) as t (project_id, id, vector)
  join grounded.chunks c on c.project_id = t.project_id and c.id = t.id
  for key share of c
  on conflict do nothing
  returning project_id, chunk_id)
  insert into grounded.document_changes (project_id, document_id)
  select distinct c.project_id, c.document_id
  from added a join grounded.chunks c on c.project_id = a.project_id and c.id = a.chunk_id
  where exists (select from grounded.embedding_models m where m.id = $1::smallint and m.status = 'ACTIVE')
  order by 1, 2
  on conflict (project_id, document_id) do update set xid = excluded.xid, changed_at = excluded.changed_at`;
