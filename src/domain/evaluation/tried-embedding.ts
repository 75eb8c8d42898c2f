import { isRefusedModel, isTemporary } from '../../models/embedding/embedding-failure.ts';
import { requireIndexableSize } from '../../models/embedding/require-dimensions.ts';
import type { EmbeddingModel } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Candidate } from './candidate.ts';

/** Maximum number of chunks of a project in which a run tries another embedding model. */
const maxChunks = 20_000;

/** The embedding model that a run tries is temporarily unavailable. The job is retried. */
export class EmbeddingUnavailable extends Error {}

/**
 * Returns the candidate, with the stored name of its embedding model.
 * @throws DomainError VALIDATION_FAILED when the installation or the model server has no such embedding model, or the
 * project is too large
 * @throws DomainError MODEL_ERROR when the server of the model does not respond
 */
export async function requireUsableEmbedding(
  context: Context,
  projectId: string,
  candidate: Candidate,
): Promise<Candidate> {
  const { embeddingModel: name } = candidate;
  const { models, signal } = context;
  if (name == null || (await models.servingEmbedding()).model?.name === name) return candidate;
  const model = models.findEmbedding(name);
  if (model === null) {
    throw invalid(
      `must be the built-in model or a model of the model server: this installation has no ${name}`,
    );
  }
  // The operator has chosen the configured model, and some servers list a model under another name.
  const isChosen = model.name === models.configuredEmbedding.name;
  if (!isChosen && (await model.isOnServer?.(signal)) === false) {
    throw invalid(`must be a model of the model server: it has no ${name}`);
  }
  await requireFewChunks(context, projectId);
  try {
    const [vector] = await probe(model, signal);
    requireIndexableSize(vector?.length ?? 0);
  } catch (error) {
    signal.throwIfAborted();
    if (!isRefusedModel(error)) throw error;
    throw invalid(`must be a model that embeds texts: ${name} does not. ${error.message}`);
  }
  return { ...candidate, embeddingModel: model.name };
}

/** Returns a vector. Counts as a query, so that a failure does not affect the state of the calls for documents. */
export async function probe(
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { vectors } = await model.embed(['dimensions'], {
    ...{ signal, kind: 'query', role: 'document' },
  });
  return vectors;
}

/** @throws DomainError VALIDATION_FAILED when the project has more than 20,000 chunks. */
export async function requireFewChunks(
  { pool }: Pick<Context, 'pool'>,
  projectId: string,
): Promise<void> {
  const [row] = await runSql<{ chunks: number }>(pool, countChunks, [projectId]);
  const chunks = row?.chunks ?? 0;
  if (chunks <= maxChunks) return;
  const [most, found] = [maxChunks, chunks].map((count) => count.toLocaleString('en'));
  throw invalid(`needs a project of at most ${most} chunks: this one has ${found}`);
}

/**
 * Returns the model for the questions of a run. If it is temporarily unavailable, searches would continue without
 * vectors, and the figures would be those of a full-text search. So it throws `EmbeddingUnavailable` instead.
 */
export function withoutFallback(model: EmbeddingModel): EmbeddingModel {
  return {
    ...model,
    async embed(texts, options) {
      try {
        return await model.embed(texts, options);
      } catch (error) {
        throw toUnavailable(error);
      }
    },
  };
}

export function toUnavailable(error: unknown): unknown {
  if (!isTemporary(error)) return error;
  return new EmbeddingUnavailable(error.message, { cause: error });
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', [`candidate.embeddingModel ${message}`]);
}

const countChunks = `
  select coalesce(sum(chunk_count), 0)::float8 as chunks from grounded.documents
  where project_id = $1::uuid and deleted_at is null`;
