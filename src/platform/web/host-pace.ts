import { setTimeout as sleep } from 'node:timers/promises';

/** Spaces the requests of this process to each host. */
export interface HostPace {
  /** Waits for the next free slot of the host, and reserves it for `intervalMs`. */
  wait(host: string, intervalMs: number, signal: AbortSignal): Promise<void>;
}

const maxIdleHosts = 1_000;

export function createHostPace(): HostPace {
  /** When the next request may start, by host. */
  const freeAt = new Map<string, number>();
  return {
    async wait(host, intervalMs, signal) {
      const now = performance.now();
      if (freeAt.size > maxIdleHosts) {
        for (const [idle, at] of freeAt) if (at <= now) freeAt.delete(idle);
      }
      const startsAt = Math.max(now, freeAt.get(host) ?? 0);
      freeAt.set(host, startsAt + intervalMs);
      if (startsAt > now) await sleep(startsAt - now, undefined, { signal });
    },
  };
}
