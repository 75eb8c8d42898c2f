import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { collectMetrics } from './collect-metrics.ts';
import type { ToPrimary } from './process-messages.ts';

interface PrimarySettings {
  /** Number of API processes. */
  readonly webConcurrency: number;
  /** `all`: one more process runs the jobs. */
  readonly role: 'all' | 'api';
  readonly log: Logger;
}

export interface Primary {
  /** Stops all processes gracefully. Resolves when they have ended. */
  stop(): Promise<void>;
}

/**
 * Runs the service in several processes that share one port, and starts a process again that has ended. The first process
 * starts alone, because it migrates the database. If it cannot start, calls `onFailedStart` with its exit code. If the
 * primary process ends, the others end at once.
 */
export function runPrimary(
  { webConcurrency, role, log }: PrimarySettings,
  onFailedStart: (code: number) => void,
): Primary {
  let state: 'starting' | 'running' | 'stopping' = 'starting';

  const start = (processRole: 'api' | 'worker', shortRuns = 0) => {
    const startedAt = performance.now();
    const child = cluster.fork({ ROLE: processRole, WEB_CONCURRENCY: '1' });
    child.on('message', (message: ToPrimary) => {
      if (message.type === 'collect-metrics') collectMetrics(child, message.requestId);
      if (message.type === 'ready' && state === 'starting') startOthers();
    });
    child.on('exit', (code, signal) => {
      if (state === 'starting') onFailedStart(code ?? 1);
      if (state !== 'running') return;
      const isShort = performance.now() - startedAt < stableMs;
      const delayMs = restartDelayMs(isShort ? shortRuns : 0);
      const ended = { pid: child.process.pid, code, signal, role: processRole, delayMs };
      log.error(ended, 'a process has ended: another one starts');
      setTimeout(() => {
        if (state === 'running') start(processRole, isShort ? shortRuns + 1 : 0);
      }, delayMs);
    });
  };
  const startOthers = () => {
    state = 'running';
    for (let count = 1; count < webConcurrency; count += 1) start('api');
    if (role === 'all') start('worker');
  };
  start('api');

  return {
    async stop() {
      state = 'stopping';
      const ending = runningChildren().map((child) => {
        const ended = once(child, 'exit');
        child.process.kill('SIGTERM');
        return ended;
      });
      await Promise.all(ending);
    },
  };
}

function runningChildren(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(
    (child): child is Worker => child !== undefined && !child.isDead(),
  );
}

/** A process that ran this long was healthy. */
const stableMs = 60_000;
const maxDelayMs = 30_000;

/** Returns the delay in milliseconds before a process is started again, after this number of short runs before it. */
export function restartDelayMs(shortRuns: number): number {
  return shortRuns === 0 ? 0 : Math.min(maxDelayMs, 1_000 * 2 ** (shortRuns - 1));
}
