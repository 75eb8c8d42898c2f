import { z } from 'zod';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { modelFailure } from '../availability/model-failure.ts';
import type { Embeddings } from '../models.ts';
import { type ReportInvalidUsage, readTokenCounts } from './reported-tokens.ts';

/**
 * Parses a response of `/embeddings` into unit vectors in the order of `texts`.
 *
 * @throws DomainError MODEL_ERROR when vectors are missing, duplicate, zero or not finite.
 * @throws ZodError when the response has another shape.
 */
export function readEmbeddings(
  body: unknown,
  texts: readonly string[],
  reportInvalid: ReportInvalidUsage,
): Embeddings {
  const { data, usage } = embeddingsSchema.parse(body);
  // Some servers omit the index. They return the vectors in the order of the request.
  const byIndex = new Map(data.map((item, position) => [item.index ?? position, item.embedding]));
  const vectors = texts.map((_, index) => unitVector(byIndex.get(index) ?? []));
  if (data.length !== texts.length) {
    throw modelFailure('The embedding model returned the wrong number of vectors');
  }
  const [tokens = estimateTokens(texts.join('\n'))] =
    readTokenCounts(usage, ['prompt_tokens'], reportInvalid) ?? [];
  return { vectors, tokens };
}

/**
 * Checks that all vectors have the same number of dimensions.
 * @throws DomainError MODEL_ERROR when they do not.
 */
export function requireSameDimensions(vectors: readonly Float32Array[]): void {
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
    throw modelFailure('The embedding model returned vectors of different sizes');
  }
}

const embeddingsSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().nullish(),
      // Only checks that it is an array. `unitVector` checks the numbers, because a zod schema for each number is slow.
      embedding: z.custom<readonly unknown[]>(Array.isArray),
    }),
  ),
  usage: z.unknown().optional(),
});

function unitVector(values: readonly unknown[]): Float32Array {
  const vector = new Float32Array(values.length);
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    const number = typeof value === 'number' ? value : Number.NaN;
    vector[index] = number;
    squares += number * number;
  }
  if (!Number.isFinite(squares) || squares === 0) {
    throw modelFailure('The embedding model returned an invalid vector');
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
