import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Keeps a pause between the requests that this process sends to one host for one tenant. Requests of one tenant do not
 * delay those of another.
 */
export interface HostPace {
  /** Waits for the tenant's next free slot on the host, and reserves the slot for `intervalMs`. */
  wait(target: PacedHost, intervalMs: number, signal: AbortSignal): Promise<void>;
}

export interface PacedHost {
  readonly tenant: string;
  readonly host: string;
}

const maxIdleHosts = 1_000;

export function createHostPace(): HostPace {
  /** Time at which the next request may start, by tenant and host. */
  const freeAt = new Map<string, number>();
  return {
    async wait({ tenant, host }, intervalMs, signal) {
      const key = `${tenant} ${host}`;
      const now = performance.now();
      if (freeAt.size > maxIdleHosts) {
        for (const [idle, at] of freeAt) if (at <= now) freeAt.delete(idle);
      }
      const startsAt = Math.max(now, freeAt.get(key) ?? 0);
      freeAt.set(key, startsAt + intervalMs);
      if (startsAt > now) await sleep(startsAt - now, undefined, { signal });
    },
  };
}
