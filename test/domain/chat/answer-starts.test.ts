import { expect, test } from 'vitest';
import { createAnswerStarts } from '../../../src/domain/chat/runs/answer-starts.ts';

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

test('an answer that waits for a model leaves its slot to others, and goes on before new ones', async () => {
  const { starts } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  const order: string[] = [];
  const { promise: replied, resolve: reply } = Promise.withResolvers<void>();
  using slow = await starts.admit('a', signal);
  const resumed = slow.whileReleased(signal, () => replied).then(() => order.push('slow'));
  const other = await starts.admit('a', signal);
  const later = starts.admit('a', signal).then((slot) => {
    order.push('later');
    slot[Symbol.dispose]();
  });
  reply();
  await replied;
  other[Symbol.dispose]();
  await resumed;
  expect(starts).toMatchObject({ starting: 1, waiting: 1 });
  slow[Symbol.dispose]();
  await later;
  expect(order).toEqual(['slow', 'later']);
  expect(starts).toMatchObject({ starting: 0, waiting: 0 });
});

test('an answer that is stopped while it waits for its slot again does not keep it', async () => {
  const { starts } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  const controller = new AbortController();
  using slow = await starts.admit('a', signal);
  const resumed = slow.whileReleased(controller.signal, async () => {});
  using _other = await starts.admit('b', signal);
  controller.abort(new Error('stopped'));
  await expect(resumed).rejects.toThrow('stopped');
  expect(starts).toMatchObject({ starting: 1, waiting: 0 });
});

test('organizations that keep their slots for long leave some to the next ones', async () => {
  const { starts } = createStarts({ maxStarting: 8, maxWaitMs: oneMinute });
  const controller = new AbortController();
  const held: string[] = [];
  const admissions: Promise<unknown>[] = [];
  for (const organization of ['a', 'b', 'c', 'd']) {
    for (let n = 0; n < 8; n++) {
      const admitted = starts.admit(organization, controller.signal);
      admissions.push(admitted.then(() => held.push(organization)));
    }
    await new Promise(setImmediate);
  }
  expect(held.join('')).toBe('aaaabbcd');
  controller.abort(new Error('gone'));
  await Promise.allSettled(admissions);
});

test('the time to wait counts from the arrival of the request', async () => {
  const { starts, refusedCount } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  const arrival = performance.now() - oneMinute;
  const slot = await starts.admit('a', signal, arrival);
  await expect(starts.admit('b', signal, arrival)).rejects.toMatchObject(tooMany);
  expect(refusedCount()).toBe(1);
  slot[Symbol.dispose]();
});

test('an answer whose model call fails waits for its slot again', async () => {
  const { starts } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  using slow = await starts.admit('a', signal);
  const { promise: replied, reject: fail } = Promise.withResolvers<void>();
  let isSettled = false;
  const resumed = slow
    .whileReleased(signal, () => replied)
    .finally(() => {
      isSettled = true;
    });
  const outcome = expect(resumed).rejects.toThrow('model outage');
  const other = await starts.admit('b', signal);
  fail(new Error('model outage'));
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  other[Symbol.dispose]();
  await outcome;
  expect(starts).toMatchObject({ starting: 1, waiting: 0 });
});

test('a stop wins over the failure of the model call', async () => {
  const { starts } = createStarts({ maxStarting: 1, maxWaitMs: oneMinute });
  const controller = new AbortController();
  using slow = await starts.admit('a', signal);
  const resumed = slow.whileReleased(controller.signal, () =>
    Promise.reject(new Error('model outage')),
  );
  const outcome = expect(resumed).rejects.toThrow('stopped');
  using _other = await starts.admit('b', signal);
  controller.abort(new Error('stopped'));
  await outcome;
  expect(starts).toMatchObject({ starting: 1, waiting: 0 });
});
