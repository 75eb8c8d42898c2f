import { expect, test } from 'vitest';
import { createAnswerStarts } from '../../src/domain/chat/runs/answer-starts.ts';

const { signal } = new AbortController();
const oneMinute = 60_000;

function createStarts(limits: { maxStarting: number; maxWaitMs: number; maxWaiting?: number }) {
  let refused = 0;
  const metrics = { recordRefusedAnswer: () => (refused += 1) };
  return { starts: createAnswerStarts(metrics, limits), refusedCount: () => refused };
}

const tooMany = { code: 'UNAVAILABLE', retryable: true };

test('an answer waits until another one has started', async () => {
  const { starts } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  const first = await starts.admit('a', signal);
  const second = starts.admit('a', signal);
  expect(starts).toMatchObject({ starting: 1, waiting: 1 });
  first[Symbol.dispose]();
  using _slot = await second;
  expect(starts).toMatchObject({ starting: 1, waiting: 0 });
});

test('refuses an answer that has waited too long, and counts it', async () => {
  const { starts, refusedCount } = createStarts({ maxStarting: 1, maxWaitMs: 20 });
  using _slot = await starts.admit('a', signal);
  await expect(starts.admit('a', signal)).rejects.toMatchObject({
    ...tooMany,
    retryAfterSeconds: 1,
  });
  expect(refusedCount()).toBe(1);
  expect(starts.waiting).toBe(0);
});

test('refuses an answer at once if the queue is full', async () => {
  const limits = { maxStarting: 1, maxWaitMs: oneMinute, maxWaiting: 2 };
  const { starts } = createStarts(limits);
  using _slot = await starts.admit('a', signal);
  const controller = new AbortController();
  const waiting = [starts.admit('a', controller.signal), starts.admit('a', controller.signal)];
  await expect(starts.admit('a', signal)).rejects.toMatchObject(tooMany);
  controller.abort(new Error('gone'));
  for (const start of waiting) await expect(start).rejects.toThrow('gone');
  expect(starts.waiting).toBe(0);
});

test('an organization that fills the queue does not keep another one out', async () => {
  const limits = { maxStarting: 2, maxWaitMs: oneMinute, maxWaiting: 2 };
  const { starts } = createStarts(limits);
  const first = await starts.admit('a', signal);
  using _other = await starts.admit('b', signal);
  const order: string[] = [];
  const start = async (organization: string) => {
    const slot = await starts.admit(organization, signal);
    order.push(organization);
    slot[Symbol.dispose]();
  };
  const waiting = [start('a'), start('a'), start('c')];
  await expect(starts.admit('a', signal)).rejects.toMatchObject(tooMany);
  first[Symbol.dispose]();
  await Promise.all(waiting);
  expect(order).toEqual(expect.arrayContaining(['a', 'a', 'c']));
});
