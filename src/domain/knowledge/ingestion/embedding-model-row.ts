import {
  requireIndexableSize,
  requireVectorSize,
} from '../../../models/embedding/require-dimensions.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { DomainError } from '../../../platform/errors.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';

/**
 * Returns the id of an embedding model. Inserts a new model as ACTIVE if no other model is active, otherwise as
 * BUILDING.
 *
 * @throws DomainError MODEL_ERROR when the model's vectors have too many dimensions.
 */
export async function ensureEmbeddingModel(
  db: SqlClient,
  input: { readonly name: string; readonly dimensions: number },
): Promise<number> {
  requireIndexableSize(input.dimensions);
  const values = [input.name, input.dimensions];
  const [known] = await runSql<{ id: number }>(db, findModel, values);
  if (known !== undefined) return known.id;
  await runSql(db, insertModel, values);
  const [added] = await runSql<{ id: number }>(db, findModel, values);
  if (added === undefined) throw new Error('The embedding model was removed while it was added');
  return added.id;
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
  select id from grounded.embedding_models where name = $1::text and dimensions = $2::int`;

const insertModel = `
  insert into grounded.embedding_models (name, dimensions, status)
  select $1::text, $2::int,
         case when exists (select from grounded.embedding_models where status = 'ACTIVE') then 'BUILDING' else 'ACTIVE' end
  on conflict do nothing`;
