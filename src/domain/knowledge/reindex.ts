import { requirePermission } from '../caller.ts';
import { type Context, transaction } from '../context.ts';
import { transactionSql } from '../run-sql.ts';
import { embeddedText } from './chunk-rows.ts';
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

  let embeddedChunks = 0;
  do {
    for (;;) {
      context.signal.throwIfAborted();
      const added = await embedBatch(context, modelId);
      if (added === 0) break;
      embeddedChunks += added;
      onProgress(embeddedChunks);
    }
  } while (!(await changeOver(context, modelId)));
  context.models.refresh();
  return { model: model.name, embeddedChunks };
}

async function embedBatch(context: Context, modelId: number): Promise<number> {
  const { rows } = await context.pool.query<ChunkRow>(chunksWithoutVector, [modelId, batchSize]);
  if (rows.length === 0) return 0;
  const { vectors } = await context.models.configuredEmbedding.embed(
    rows.map((row) => embeddedText(row.documentName, row)),
    { signal: context.signal },
  );
  await context.pool.query(insertVectors, [
    modelId,
    rows.map((row) => row.id),
    vectors.map(vectorLiteral),
  ]);
  return rows.length;
}

/** Ingestion holds a share lock on the active model while it commits, so nothing slips in between. */
async function changeOver(context: Context, modelId: number): Promise<boolean> {
  return transaction(context, async ({ db, queue }) => {
    const sql = transactionSql(db);
    await sql.query('select id from grounded.embedding_models for update', []);
    const missing = await sql.query(chunksWithoutVector, [modelId, 1]);
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

/** Deletes the vectors of models that serve no more. */
export async function removeRetiredVectors({ pool }: Pick<Context, 'pool'>): Promise<void> {
  await pool.query(`delete from grounded.embedding_models where status = 'RETIRED'`);
}

/** Well beyond what other processes cache of the models. */
const retireSeconds = 60;

interface ChunkRow {
  readonly id: string;
  readonly documentName: string;
  readonly content: string;
  readonly context: string;
}

const chunksWithoutVector = `
  select c.id, d.name as "documentName", c.content, c.context
  from grounded.chunks c
  join grounded.documents d on d.id = c.document_id
  where not exists (
    select from grounded.chunk_vectors v where v.chunk_id = c.id and v.model_id = $1::smallint)
  limit $2::int`;

/** A chunk that was removed in the meantime is left out; one that another run embedded stays. */
const insertVectors = `
  insert into grounded.chunk_vectors (model_id, chunk_id, project_id, embedding)
  select $1::smallint, c.id, c.project_id, grounded.vector_of(t.literal)
  from unnest($2::uuid[], $3::text[]) as t (id, literal)
  join grounded.chunks c using (id)
  for key share of c
  on conflict do nothing`;
