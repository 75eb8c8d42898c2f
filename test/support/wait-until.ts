import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Only a guard against waiting forever: longer than a busy machine needs, and less than a test may take. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

type Truthy<Value> = Exclude<Value, null | undefined | false | 0 | ''>;

/**
 * Polls until the condition holds and returns its value. Throws what the condition throws, and after the time-out, with
 * the code of the condition. For loops that are no assertion, also outside of Vitest: tests wait for conditions, and
 * this is the only place where they wait for a time.
 */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = 15_000, intervalMs = 25 }: WaitOptions = {},
): Promise<Truthy<Value>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Truthy<Value>;
    if (performance.now() >= deadline) {
      throw new Error(`Did not become true within ${timeoutMs} ms: ${condition}`);
    }
    await delay(intervalMs);
  }
}
