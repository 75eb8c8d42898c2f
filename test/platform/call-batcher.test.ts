import { expect, test } from 'vitest';
import { createCallBatcher } from '../../src/platform/call-batcher.ts';

/** Returns a batcher. The test decides when the runs of the batcher finish. */
function createControlledBatcher(options?: {
  readonly maxBatch?: number;
  readonly maxRuns?: number;
}) {
  const runs: {
    readonly key: string;
    readonly inputs: readonly number[];
    finish(): void;
    fail(error: Error): void;
  }[] = [];
  const batcher = createCallBatcher<number, string>((inputs, key) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const finish = () => resolve(inputs.map((input) => `${key}${input}`));
    runs.push({ key, inputs, finish, fail: reject });
    return promise;
  }, options);
  return { batcher, runs };
}

test('a lone call runs at once, and calls that arrive while it works share the next run', async () => {
  const { batcher, runs } = createControlledBatcher();
  const first = batcher.call('a', 1);
  const later = [batcher.call('a', 2), batcher.call('a', 3)];
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1]]);
  runs[0]?.finish();
  expect(await first).toBe('a1');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.finish();
  expect(await Promise.all(later)).toEqual(['a2', 'a3']);
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]]);
});

test('a key does not wait for another one', async () => {
  const { batcher, runs } = createControlledBatcher();
  const calls = [batcher.call('a', 1), batcher.call('b', 1)];
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const run of runs) run.finish();
  expect(await Promise.all(calls)).toEqual(['a1', 'b1']);
});

test('a run that fails fails its own calls only', async () => {
  const { batcher, runs } = createControlledBatcher();
  const first = batcher.call('a', 1);
  const second = batcher.call('a', 2);
  runs[0]?.fail(new Error('connection lost'));
  await expect(first).rejects.toThrow('connection lost');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.finish();
  expect(await second).toBe('a2');
});

test('a run receives at most `maxBatch` calls, in the order of arrival', async () => {
  const { batcher, runs } = createControlledBatcher({ maxBatch: 2 });
  const calls = [1, 2, 3, 4].map((input) => batcher.call('a', input));
  for (let run = 0; run < 3; run++) {
    await expect.poll(() => runs.length).toBe(run + 1);
    runs[run]?.finish();
  }
  expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3], [4]]);
});

test('calls wait only while `maxRuns` runs work', async () => {
  const { batcher, runs } = createControlledBatcher({ maxRuns: 2 });
  const calls = [1, 2, 3, 4].map((input) => batcher.call('a', input));
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2]]);
  runs[1]?.finish();
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.finish();
  runs[0]?.finish();
  expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2], [3, 4]]);
});
