import { requirePermission } from '../caller.ts';
import { type Context, transaction } from '../context.ts';
import { transactionSql } from '../run-sql.ts';
import { embeddedText } from './chunk-rows.ts';
import { buildVectorIndexes } from './vector-indexes.ts';
import { findEmbeddingModel, vectorLiteral } from './write-chunks.ts';

export interface ReindexReport {
  /** The model that serves from now on. */
  readonly model: string;
  readonly embeddedChunks: number;
}

const batchSize = 200;

/**
 * Embeds every chunk with the configured model, then changes over in one transaction. The old vectors serve
 * until then, and a little longer for processes that have not noticed yet. Can be broken off and run again:
 * what is embedded stays. For the service role.
 */
export async function reindex(
  context: Context,
  onProgress: (embeddedChunks: number) => void = () => {},
): Promise<ReindexReport> {
  requirePermission(context.caller, 'organization:create');
  const { configuredEmbedding: model } = context.models;
  const probe = await model.embed(['dimensions'], { signal: context.signal });
  const dimensions = probe.vectors[0]?.length ?? 0;
  const sql = transactionSql(context.db);
  const modelId = await findEmbeddingModel(sql, { name: model.name, dimensions });

  await sql.query(RESTORE_MODEL, [modelId]);

  let embeddedChunks = 0;
  do {
    for (let last: ChunkKey | null = firstKey; last !== null; ) {
      context.signal.throwIfAborted();
      const batch: Batch = await embedBatch(context, modelId, last);
      last = batch.last;
      embeddedChunks += batch.embedded;
      if (batch.embedded > 0) onProgress(embeddedChunks);
    }
    await buildVectorIndexes({ ...context, pool: context.database.owner });
  } while (!(await changeOver(context, modelId)));
  context.models.refresh();
  return { model: model.name, embeddedChunks };
}

interface ChunkKey {
  readonly projectId: string;
  readonly id: string;
}

interface Batch {
  readonly embedded: number;
  /** Where to go on; null at the end. */
  readonly last: ChunkKey | null;
}

const firstKey: ChunkKey = {
  projectId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

async function embedBatch(context: Context, modelId: number, after: ChunkKey): Promise<Batch> {
  const { rows } = await context.pool.query<ChunkRow>(CHUNKS_WITHOUT_VECTOR, [
    modelId,
    after.projectId,
    after.id,
    batchSize,
  ]);
  if (rows.length === 0) return { embedded: 0, last: null };
  const { vectors } = await context.models.configuredEmbedding.embed(
    rows.map((row) => embeddedText(row.documentName, row)),
    { signal: context.signal },
  );
  await context.pool.query(INSERT_VECTORS, [
    modelId,
    rows.map((row) => row.projectId),
    rows.map((row) => row.id),
    vectors.map(vectorLiteral),
  ]);
  return { embedded: rows.length, last: rows.at(-1) ?? null };
}

/** Ingestion holds a share lock on the active model while it commits, so nothing slips in between. */
async function changeOver(context: Context, modelId: number): Promise<boolean> {
  return transaction(context, async ({ db, queue }) => {
    const sql = transactionSql(db);
    await sql.query('select id from grounded.embedding_models for update', []);
    const missing = await sql.query(ANY_WITHOUT_VECTOR, [modelId]);
    if (missing.length > 0) return false;
    await sql.query(
      `update grounded.embedding_models set status = 'RETIRED' where status = 'ACTIVE' and id <> $1::smallint`,
      [modelId],
    );
    await sql.query(
      `update grounded.embedding_models set status = 'ACTIVE' where id = $1::smallint`,
      [modelId],
    );
    await queue.enqueue(db, 'remove-retired-vectors', {}, { delaySeconds: retireSeconds });
    return true;
  });
}

/** Well beyond what other processes cache of the models. */
const retireSeconds = 60;

interface ChunkRow extends ChunkKey {
  readonly documentName: string;
  readonly content: string;
  readonly context: string;
}

/** Someone goes back to a model whose vectors have not been removed yet. */
const RESTORE_MODEL = `
  update grounded.embedding_models set status = 'BUILDING' where id = $1::smallint and status = 'RETIRED'`;

/** In the order of the primary key, so that no batch reads what the one before has done. */
const CHUNKS_WITHOUT_VECTOR = `
  select c.project_id as "projectId", c.id, d.name as "documentName", c.content, c.context
  from grounded.chunks c
  join grounded.documents d on d.project_id = c.project_id and d.id = c.document_id
  where (c.project_id, c.id) > ($2::uuid, $3::uuid) and not exists (
    select from grounded.chunk_vectors v
    where v.project_id = c.project_id and v.chunk_id = c.id and v.model_id = $1::smallint)
  order by c.project_id, c.id limit $4::int`;

const ANY_WITHOUT_VECTOR = `
  select from grounded.chunks c where not exists (
    select from grounded.chunk_vectors v
    where v.project_id = c.project_id and v.chunk_id = c.id and v.model_id = $1::smallint)
  limit 1`;

/** A chunk that was removed in the meantime is left out; one that another run embedded stays. */
const INSERT_VECTORS = `
  insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
  select c.project_id, c.id, $1::smallint, grounded.vector_of(t.literal)
  from unnest($2::uuid[], $3::uuid[], $4::text[]) as t (project_id, id, literal)
  join grounded.chunks c on c.project_id = t.project_id and c.id = t.id
  for key share of c
  on conflict do nothing`;
