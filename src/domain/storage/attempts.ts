import { setTimeout as delay } from 'node:timers/promises';

/** One try of a piece of work over the network. */
export interface Attempt {
  /** Aborts when the caller leaves, nothing moves for `idleMs`, or the try takes longer than `limitMs`. */
  readonly signal: AbortSignal;
  /** Something moved. */
  progress(): void;
}

export interface Patience {
  readonly idleMs: number;
  readonly limitMs: number;
  /** Before the second try; doubles with each one after. */
  readonly pauseMs: number;
}

const maxTries = 3;

/**
 * Tries `work` up to three times, as long as its errors pass; what took too long has taken long enough. Throws the
 * last error, or the reason of `signal`.
 */
export async function attempt<T>(
  work: (attempt: Attempt) => Promise<T>,
  {
    signal,
    passes,
    idleMs,
    limitMs,
    pauseMs,
  }: Patience & {
    readonly signal: AbortSignal | undefined;
    passes(error: unknown): boolean;
  },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const end = (reason: unknown) => limit.abort(reason);
    const leave = () => end(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const idle = setTimeout(end, idleMs, new Error('Nothing moved for too long'));
    const late = setTimeout(end, limitMs, new Error('It took too long'));
    try {
      return await work({ signal: limit.signal, progress: () => idle.refresh() });
    } catch (error) {
      signal?.throwIfAborted();
      if (tries === maxTries || limit.signal.aborted || !passes(error)) throw error;
    } finally {
      clearTimeout(idle);
      clearTimeout(late);
      signal?.removeEventListener('abort', leave);
    }
    await delay(pauseMs * 2 ** (tries - 1) * (0.5 + Math.random()), undefined, { signal });
  }
}
