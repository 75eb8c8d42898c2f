import { z } from 'zod';
import { countTokens } from '../knowledge/count-tokens.ts';
import { modelFailure } from './model-failure.ts';
import type { Embeddings } from './models.ts';

/**
 * Reads an answer of `/embeddings` as unit vectors in the order of `texts`. Throws `MODEL_ERROR` when
 * vectors are missing, doubled, not finite or zero, and `ZodError` when the shape is another.
 */
export function readEmbeddings(body: unknown, texts: readonly string[]): Embeddings {
  const { data, usage } = embeddingsSchema.parse(body);
  // Some servers leave out the index; their order is the order asked.
  const byIndex = new Map(data.map((item, position) => [item.index ?? position, item.embedding]));
  const vectors = texts.map((_, index) => unitVector(byIndex.get(index) ?? []));
  if (data.length !== texts.length) {
    throw modelFailure('The embedding model answered with the wrong number of vectors');
  }
  return { vectors, tokens: usage?.prompt_tokens ?? countTokens(texts.join('\n')) };
}

/** Throws `MODEL_ERROR` unless all vectors have the same number of dimensions. */
export function requireOneSize(vectors: readonly Float32Array[]): void {
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
    throw modelFailure('The embedding model answered with vectors of different sizes');
  }
}

const embeddingsSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().nullish(),
      // The numbers are checked where they are read: a schema for each is slow.
      embedding: z.custom<readonly unknown[]>(Array.isArray),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number() }).nullish().catch(null),
});

function unitVector(values: readonly unknown[]): Float32Array {
  const vector = new Float32Array(values.length);
  let squares = 0;
  for (const [index, value] of values.entries()) {
    const number = typeof value === 'number' ? value : Number.NaN;
    vector[index] = number;
    squares += number * number;
  }
  if (!Number.isFinite(squares) || squares === 0) {
    throw modelFailure('The embedding model answered with a vector that is none');
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
