import { z } from 'zod';
import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { candidateSchema } from './candidate.ts';

export const removeCandidateVectorsJob = defineJob({
  name: 'remove-candidate-vectors',
  payload: z.object({ projectId: z.string() }),
  queue: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  concurrency: 1,
  run: (adapters: Adapters, { projectId }, { signal }) =>
    removeCandidateVectors(createSystemContext(adapters, signal), projectId),
});

export const removeCandidateModelsJob = defineJob({
  name: 'remove-candidate-models',
  payload: noPayload,
  queue: { ...scheduledQueue, expireInSeconds: 6 * 3600 },
  schedule: '23 4 * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => removeCandidateModels(adapters, signal),
});

/** Call it in the transaction that ends or deletes the run. */
export async function enqueueVectorRemoval(
  { db, queue }: Context,
  { projectId, candidate }: { readonly projectId: string; readonly candidate: unknown },
): Promise<void> {
  if (candidateSchema.parse(candidate).embeddingModel == null) return;
  await queue.enqueue(db, removeCandidateVectorsJob, { projectId });
}

/**
 * Deletes the vectors in a project of all embedding models that no unfinished run of the project tries, and that are
 * neither active nor being built. Safe to run again.
 */
async function removeCandidateVectors(context: Context, projectId: string): Promise<void> {
  for (const model of await runSql<Model>(context.pool, findModels)) {
    await removeVectors(context, projectId, model);
  }
}

/**
 * Deletes the vectors and rows of embedding models that no unfinished run tries, in all projects. Vectors are left if
 * the job at the end of a run failed. Rows are deleted only here, because Postgres then looks for vectors in all
 * projects.
 */
export async function removeCandidateModels(
  adapters: Adapters,
  signal: AbortSignal,
): Promise<void> {
  const context = createSystemContext(adapters, signal);
  for (const model of await runSql<Model>(context.pool, findModels)) {
    for (;;) {
      const values = [model.id, model.name, projectsPerStatement];
      const projects = await runSql<{ id: string }>(context.pool, findProjects, values);
      for (const { id } of projects) await removeVectors(context, id, model);
      if (projects.length < projectsPerStatement) break;
    }
    await runSql(context.database.ownerPool, deleteModel, [model.id]);
  }
}

interface Model {
  readonly id: number;
  readonly name: string;
}

const batchSize = 2_000;
const projectsPerStatement = 1_000;

async function removeVectors(
  context: Context,
  projectId: string,
  { id, name }: Model,
): Promise<void> {
  let removed: number;
  do {
    context.signal.throwIfAborted();
    removed = await transaction(
      context,
      async ({ db }) => {
        // Lock in a separate statement, so that the next statement sees all runs that started before the lock.
        if ((await runSql(db, lockModel, [id])).length === 0) return 0;
        return (await runSql(db, deleteVectors, [projectId, id, name, batchSize])).length;
      },
      { isRemoval: true },
    );
  } while (removed === batchSize);
}

const findModels = `select id, name from grounded.embedding_models where status = 'CANDIDATE'`;

/** While `reindex` waits for this lock, the model is not yet BUILDING, and its vectors are not yet wanted. */
const lockModel = `
  select id from grounded.embedding_models where id = $1::smallint and status = 'CANDIDATE' for share`;

/** Parameters: $1 project, $2 and $3 id and name of the model, $4 number of vectors. */
const deleteVectors = `
  delete from grounded.chunk_vectors
  where project_id = $1::uuid and model_id = $2::smallint and chunk_id = any (array(
    select chunk_id from grounded.chunk_vectors
    where project_id = $1::uuid and model_id = $2::smallint limit $4::int))
  and not exists (
    select from grounded.evaluation_runs
    where project_id = $1::uuid and finished_at is null and candidate ->> 'embeddingModel' = $3::text)
  returning chunk_id`;

/** Parameters: $1 and $2 id and name of the model, $3 number of projects. */
const findProjects = `
  select p.id from grounded.projects p
  where exists (
      select from grounded.chunk_vectors v where v.project_id = p.id and v.model_id = $1::smallint)
    and not exists (
      select from grounded.evaluation_runs r
      where r.project_id = p.id and r.finished_at is null and r.candidate ->> 'embeddingModel' = $2::text)
  limit $3::int`;

const deleteModel = `
  delete from grounded.embedding_models m
  where m.id = $1::smallint and m.status = 'CANDIDATE'
    and not exists (
      select from grounded.evaluation_runs r
      where r.finished_at is null and r.candidate ->> 'embeddingModel' = m.name)
    and not exists (
      select from grounded.projects p where exists (
        select from grounded.chunk_vectors v where v.project_id = p.id and v.model_id = m.id))`;
