import { requireDimensions } from '../../models/embedding/require-dimensions.ts';
import type { EmbeddingModel } from '../../models/models.ts';
import type { ServingEmbedding } from '../../models/serving-models.ts';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { embeddingInput } from '../knowledge/ingestion/chunk-terms.ts';
import { ensureTriedModel } from '../knowledge/ingestion/embedding-model-row.ts';
import { vectorArray } from '../knowledge/ingestion/vector-array.ts';
import { questionQuotaExceeded, withConsumedQuestion } from '../usage/question-quota.ts';
import { candidateSchema } from './candidate.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import { probe, requireFewChunks, toUnavailable, withoutFallback } from './tried-embedding.ts';

export type EmbeddingPreparation =
  /** All chunks have a vector. `embedding` is null if the run asks with the embedding model of the project. */
  | { readonly state: 'READY'; readonly embedding: ServingEmbedding | null }
  /** The next job continues, after `delaySeconds`. */
  | { readonly state: 'UNFINISHED'; readonly delaySeconds?: number }
  /** The run has finished. */
  | { readonly state: 'ENDED' };

/**
 * One request to a model server, which uses one evaluated question. Small, because a process that dies loses the
 * vectors of a batch, and a cancelled run stops after one.
 */
const batchSize = 96;
/** Time in seconds until the next job, while earlier vectors of the model are being deleted. */
const retiredDelaySeconds = 30;

/**
 * Embeds the chunks of the project that have no vector of the run's embedding model, until `endsAt`. Searches for end
 * users do not read these vectors.
 *
 * @throws DomainError when the model fails for good, the project has become too large, or the allowance of evaluated
 * questions is used up.
 * @throws EmbeddingUnavailable when the model fails temporarily.
 */
export async function prepareEmbedding(
  context: Context,
  { run, organizationId }: { readonly run: EvaluationRun; readonly organizationId: string },
  endsAt: number,
): Promise<EmbeddingPreparation> {
  const { models, pool, signal } = context;
  const { embeddingModel: name } = candidateSchema.parse(run.candidate);
  if (name == null) return { state: 'READY', embedding: null };
  if ((await models.servingEmbedding()).model?.name === name) {
    return { state: 'READY', embedding: null };
  }
  const found = models.findEmbedding(name);
  if (found === null) {
    throw new DomainError('UNAVAILABLE', `This installation no longer has the model ${name}`);
  }
  await requireFewChunks(context, run.projectId);
  try {
    const dimensions = (await probe(found, signal))[0]?.length ?? 0;
    const model = requireDimensions(found, dimensions);
    const { id, status } = await ensureTriedModel(pool, { name, dimensions });
    if (status === 'RETIRED') return { state: 'UNFINISHED', delaySeconds: retiredDelaySeconds };
    const tried = { run, organizationId, name, model, id };
    const stopped = status === 'ACTIVE' ? null : await embedChunks(context, tried, endsAt);
    return stopped ?? { state: 'READY', embedding: { id, model: withoutFallback(model) } };
  } catch (error) {
    signal.throwIfAborted();
    throw toUnavailable(error);
  }
}

interface TriedModel {
  readonly run: EvaluationRun;
  readonly organizationId: string;
  readonly name: string;
  readonly model: EmbeddingModel;
  readonly id: number;
}

/** Returns null when all chunks have a vector. */
async function embedChunks(
  context: Context,
  tried: TriedModel,
  endsAt: number,
): Promise<EmbeddingPreparation | null> {
  for (let last: string | null = lowestId; ; ) {
    context.signal.throwIfAborted();
    const rows: readonly ChunkRow[] = await runSql<ChunkRow>(context.pool, findChunks, [
      ...[tried.run.projectId, tried.id, last, batchSize],
    ]);
    last = rows.at(-1)?.id ?? null;
    if (last === null) return null;
    const { isUnfinished, isOpen } = await embedBatch(context, tried, rows);
    if (!isUnfinished) return { state: 'ENDED' };
    if (!isOpen || Date.now() > endsAt) return { state: 'UNFINISHED' };
  }
}

async function embedBatch(
  { pool, signal, tokenCounter }: Context,
  { run, organizationId, name, model, id }: TriedModel,
  rows: readonly ChunkRow[],
): Promise<Stored> {
  const texts = rows.map((row) => embeddingInput(row.documentName, row));
  const allowance = { organizationId, kind: 'evaluated' } as const;
  const embedded = await withConsumedQuestion({ pool }, allowance, () =>
    model.embed(texts, { signal }),
  );
  if (embedded === null) throw questionQuotaExceeded('evaluated');
  const { vectors, tokens } = embedded;
  tokenCounter.add(run.projectId, [{ model: name, kind: 'EMBEDDING', tokens }]);
  const [stored] = await runSql<Stored>(pool, insertVectors, [
    ...[run.id, run.projectId, id, name],
    rows.map((row) => row.id),
    vectorArray(vectors),
  ]);
  if (stored === undefined) throw new Error('The statement returned no row');
  return stored;
}

interface ChunkRow {
  readonly id: string;
  readonly documentName: string;
  readonly content: string;
  readonly context: string;
}

interface Stored {
  /** Whether the run has not finished. */
  readonly isUnfinished: boolean;
  /** Whether the model is still one that runs try, or that `reindex` builds. */
  readonly isOpen: boolean;
}

const lowestId = '00000000-0000-0000-0000-000000000000';

/** Parameters: $1 project, $2 model, $3 last chunk of the batch before, $4 number of chunks. */
const findChunks = `
  select c.id, d.name as "documentName", c.content, c.context
  from grounded.published_chunks c
  join grounded.documents d on d.project_id = c.project_id and d.id = c.document_id
  where c.project_id = $1::uuid and c.id > $3::uuid and not exists (
    select from grounded.chunk_vectors v
    where v.project_id = $1::uuid and v.chunk_id = c.id and v.model_id = $2::smallint)
  order by c.id limit $4::int`;

/**
 * Parameters: $1 run, $2 project, $3 and $4 id and name of the model, $5 chunks, $6 vectors. The locks make the end of
 * the run, and a change of the model's status, wait until the vectors are stored. Skips chunks that were deleted in the
 * meantime.
 */
const insertVectors = `
  with run as materialized (
    select id from grounded.evaluation_runs
    where id = $1::uuid and project_id = $2::uuid and finished_at is null for share
  ), model as materialized (
    select m.id from grounded.embedding_models m
    where m.id = $3::smallint and m.name = $4::text and m.status in ('CANDIDATE', 'BUILDING')
      and exists (select from run)
    for share of m
  ), added as (
    insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
    select c.project_id, c.id, model.id, t.vector
    from model, unnest($5::uuid[], $6::grounded.embedding[]) as t (id, vector)
    join grounded.chunks c on c.project_id = $2::uuid and c.id = t.id
    for key share of c
    on conflict do nothing
  )
  select exists (select from run) as "isUnfinished", exists (select from model) as "isOpen"`;
