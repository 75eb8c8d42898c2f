import { beforeAll, expect, test } from 'vitest';
import { runNewest } from '../../../src/domain/chat/run-newest.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

/** Rejects when the signal aborts, with an error of its own instead of the signal's reason. */
const untilAborted = ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The call was cancelled')));
  });

test('work that takes too long fails as retryable', async () => {
  const run = runNewest(service.system, { key: 'slow', timeoutMs: 20 }, untilAborted);
  await expect(run).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryable: true,
    message: 'This took longer than 0.02 s. Try again',
  });
});

test('newer work cancels only the work with its key, and finished work cancels nothing', async () => {
  const { system } = service;
  const older = runNewest(system, { key: 'a', timeoutMs: 60_000 }, untilAborted);
  const release = Promise.withResolvers<string>();
  const other = runNewest(system, { key: 'b', timeoutMs: 60_000 }, () => release.promise);
  const newer = runNewest(system, { key: 'a', timeoutMs: 60_000 }, async () => 'newer');
  await expect(older).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await newer).toBe('newer');
  release.resolve('other');
  expect(await other).toBe('other');
  expect(await runNewest(system, { key: 'a', timeoutMs: 60_000 }, async () => 'next')).toBe('next');
});

test('an error of the work, and of a caller that disconnects, is thrown as it is', async () => {
  const failure = new Error('The model failed');
  const run = runNewest(service.system, { key: 'c', timeoutMs: 60_000 }, () =>
    Promise.reject(failure),
  );
  await expect(run).rejects.toBe(failure);
  const signal = AbortSignal.abort();
  const left = runNewest(
    { ...service.system, signal },
    { key: 'c', timeoutMs: 60_000 },
    async ({ signal }) => signal.throwIfAborted(),
  );
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
});
