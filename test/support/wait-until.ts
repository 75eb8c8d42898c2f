import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /**
   * Prevents endless waiting. It is longer than a busy machine needs, and shorter than the time limit of a test. In
   * milliseconds.
   */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

type Truthy<Value> = Exclude<Value, null | undefined | false | 0 | ''>;

/**
 * Polls until the condition is true and returns its value. Throws the errors of the condition. After the time limit,
 * throws an error that contains the source code of the condition. Use it where a loop is not an assertion, also outside
 * of Vitest. Tests must wait for conditions. Only this function waits for a time.
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
