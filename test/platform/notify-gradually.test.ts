import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccessRegistry } from '../../src/platform/events/access-registry.ts';
import { createSubscriptionRegistry } from '../../src/platform/events/subscription-registry.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('after lost notifications, 4,000 subscriptions are woken over four seconds, not at once', async () => {
  const access = createAccessRegistry();
  const registry = createSubscriptionRegistry({ maxWaitMs: 30_000, access });
  const { signal } = new AbortController();
  let woken = 0;
  for (let n = 0; n < 4_000; n += 1) {
    const target = { topic: 'documents', projectId: `project ${n}` } as const;
    void registry
      .subscribe(target, signal, [])
      .next()
      .then((changed) => {
        if (changed === 'any') woken += 1;
      });
  }
  registry.notifyAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(woken).toBe(100);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(woken).toBe(1_100);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(woken).toBe(4_000);
  registry.closeAll();
});

test('a stream with several principals checks its access once, within four seconds', async () => {
  const access = createAccessRegistry();
  const recheck = vi.fn();
  for (let n = 0; n < 200; n += 1) {
    const listener = { recheckAccess: () => recheck(n) };
    access.watch([`key ${n}`, `member ${n}`], listener);
  }
  access.notifyAll();
  expect(recheck).toHaveBeenCalledTimes(50);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(recheck).toHaveBeenCalledTimes(200);
});

test('streams that end meanwhile are not called, and a new round replaces the running one', async () => {
  const access = createAccessRegistry();
  const recheck = vi.fn();
  const listeners = Array.from({ length: 200 }, (_, n) => ({ recheckAccess: () => recheck(n) }));
  for (const [n, listener] of listeners.entries()) access.watch([`key ${n}`], listener);
  access.notifyAll();
  const [last] = listeners.slice(-1);
  if (last !== undefined) access.unwatch(['key 199'], last);
  access.notifyAll();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(recheck).toHaveBeenCalledTimes(50 + 199);
  expect(recheck).not.toHaveBeenCalledWith(199);
});
