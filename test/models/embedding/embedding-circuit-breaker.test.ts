import { expect, it } from 'vitest';
import { modelFailure } from '../../../src/models/availability/model-failure.ts';
import { embeddingModelWithCircuitBreaker } from '../../../src/models/embedding/embedding-circuit-breaker.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { createLog } from '../../../src/server/log.ts';

const query = { kind: 'query' } as const;

/** Returns a model with a circuit breaker. The first call of the model fails with `error`. */
function setUp(error: unknown) {
  const clock = { ms: 0 };
  const calls: number[] = [];
  const model: EmbeddingModel = {
    name: 'stand-in',
    embed: async () => {
      calls.push(clock.ms);
      if (calls.length === 1) throw error;
      return { vectors: [], tokens: 0 };
    },
  };
  const log = createLog('silent');
  return {
    clock,
    calls,
    model: embeddingModelWithCircuitBreaker(model, { log, now: () => clock.ms }),
  };
}

const busy = modelFailure('busy', { retryable: true });

it('skips queries for half a minute after a temporary failure, but not documents', async () => {
  const { clock, calls, model } = setUp(busy);
  await expect(model.embed(['a'], query)).rejects.toBe(busy);
  clock.ms = 29_999;
  await expect(model.embed(['a'], query)).rejects.toMatchObject({
    message: 'The embedding model is not available',
    retryable: true,
  });
  await model.embed(['a'], { kind: 'document' });
  clock.ms = 30_000;
  await model.embed(['a'], query);
  expect(calls).toEqual([0, 29_999, 30_000]);
});

it('skips documents for half a minute after an outage, then tests with one call at a time', async () => {
  const { clock, calls, model } = setUp(busy);
  await expect(model.embed(['a'])).rejects.toBe(busy);
  expect(model.documents?.refusal()).toEqual(busy);
  expect(model.documents?.latestFailure()).toBe(busy);
  expect(model.documents?.succeededAt()).toBeNull();
  clock.ms = 29_999;
  const refused = await model.embed(['a']).catch((error: unknown) => error);
  expect(refused).toEqual(busy);
  expect(refused).not.toBe(busy);
  clock.ms = 30_000;
  expect(model.documents?.refusal()).toBeNull();
  const test = model.embed(['a']);
  expect(model.documents?.refusal()).toEqual(busy);
  await expect(model.embed(['a'])).rejects.toEqual(busy);
  await test;
  expect(model.documents?.succeededAt()).not.toBeNull();
  await Promise.all([model.embed(['a']), model.embed(['a'])]);
  expect(calls).toEqual([0, 30_000, 30_000, 30_000]);
});

it.each([
  ['a permanent failure', modelFailure('wrong key'), query],
  ['a failure of a document', busy, { kind: 'document' } as const],
  ['a caller that disconnected', busy, { ...query, signal: AbortSignal.abort() }],
])('goes on after %s', async (_, error, options) => {
  const { calls, model } = setUp(error);
  await expect(model.embed(['a'], options)).rejects.toBe(error);
  await model.embed(['a'], query);
  expect(calls).toHaveLength(2);
});
