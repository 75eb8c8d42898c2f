import {
  requireIndexableSize,
  requireVectorSize,
} from '../../../models/embedding/require-dimensions.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { DomainError } from '../../../platform/errors.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';

/**
 * Returns the id of an embedding model. A new model, or one that only evaluation runs have tried, becomes ACTIVE if no
 * other model is active, otherwise BUILDING.
 *
 * @throws DomainError MODEL_ERROR when the model's vectors have too many dimensions.
 */
export async function ensureEmbeddingModel(
  db: SqlClient,
  input: { readonly name: string; readonly dimensions: number },
): Promise<number> {
  requireIndexableSize(input.dimensions);
  const { id, status } = await findOrInsert(db, input, insertModel);
  if (status !== 'CANDIDATE') return id;
  const promoted = await runSql(db, promoteCandidate, [id]);
  return promoted.length > 0 ? id : ensureEmbeddingModel(db, input);
}

/**
 * Returns the row of an embedding model that an evaluation run tries. Inserts a new model as CANDIDATE. Waits until a
 * batch of its vectors that is being deleted is gone.
 *
 * @throws DomainError MODEL_ERROR when the model's vectors have too many dimensions.
 */
export async function ensureTriedModel(
  db: SqlClient,
  input: { readonly name: string; readonly dimensions: number },
): Promise<EmbeddingModelRow> {
  requireIndexableSize(input.dimensions);
  return findOrInsert(db, input, insertCandidate, lockModel);
}

export interface EmbeddingModelRow {
  readonly id: number;
  readonly status: 'ACTIVE' | 'BUILDING' | 'RETIRED' | 'CANDIDATE';
}

/** An id may be in use after the sequence has started again from 1. */
const maxInserts = 20;

async function findOrInsert(
  db: SqlClient,
  { name, dimensions }: { readonly name: string; readonly dimensions: number },
  insert: string,
  find = findModel,
): Promise<EmbeddingModelRow> {
  const values = [name, dimensions];
  for (let inserts = 0; inserts <= maxInserts; inserts += 1) {
    const [known] = await runSql<EmbeddingModelRow>(db, find, values);
    if (known !== undefined) return known;
    await runSql(db, insert, values);
  }
  throw new Error('The embedding model was removed while it was added');
}

/**
 * Returns the id of the active embedding model, or null if no embedding model is configured. The active model must be
 * the model that this process uses.
 *
 * @throws DomainError CONFLICT when the active model has changed. The job is then retried.
 * @throws DomainError MODEL_ERROR when the vectors have too many dimensions, or not as many as the stored vectors.
 */
export async function requireServingModel(
  db: SqlClient,
  serving: ServingEmbedding,
  vectors: readonly Float32Array[],
): Promise<number | null> {
  const dimensions = vectors[0]?.length ?? 0;
  if (serving.id === null && serving.model !== null) {
    await ensureEmbeddingModel(db, { name: serving.model.name, dimensions });
  }
  const [activeModel] = await runSql<{ id: number; name: string; dimensions: number }>(
    db,
    `select id, name, dimensions from grounded.embedding_models where status = 'ACTIVE'`,
  );
  const isSame =
    serving.id === null
      ? activeModel?.name === serving.model?.name
      : activeModel?.id === serving.id;
  if (!isSame) throw new DomainError('CONFLICT', 'The active embedding model has changed');
  if (serving.model === null || activeModel === undefined) return null;
  for (const vector of vectors) requireVectorSize(vector, activeModel.dimensions);
  return activeModel.id;
}

const findModel = `
  select id, status from grounded.embedding_models where name = $1::text and dimensions = $2::int`;

/** `removeCandidateVectors` holds a share lock on the row. */
const lockModel = `${findModel} for no key update`;

const insertModel = `
  insert into grounded.embedding_models (name, dimensions, status)
  select $1::text, $2::int,
         case when exists (select from grounded.embedding_models where status = 'ACTIVE') then 'BUILDING' else 'ACTIVE' end
  on conflict do nothing`;

const insertCandidate = `
  insert into grounded.embedding_models (name, dimensions, status)
  values ($1::text, $2::int, 'CANDIDATE') on conflict do nothing`;

const promoteCandidate = `
  update grounded.embedding_models
  set status = case when exists (select from grounded.embedding_models where status = 'ACTIVE') then 'BUILDING' else 'ACTIVE' end
  where id = $1::smallint and status = 'CANDIDATE' returning id`;
