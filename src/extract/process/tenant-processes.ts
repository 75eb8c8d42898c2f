import type { ExtractorProcess } from './extractor-process.ts';

/** A process is replaced after this many files. This limits the effect of memory leaks. */
const maxFilesPerProcess = 100;
const idleTimeoutMs = 60_000;

/**
 * Processes that each read files of only one tenant. A process that has read a file is never used for another tenant.
 */
export interface TenantProcesses {
  /** Returns an idle process of this tenant, or a process that has not read any file yet. */
  acquire(tenant: string): ExtractorProcess;
  release(process: ExtractorProcess, tenant: string): void;
  /** Kills all processes. */
  stop(): Promise<void>;
}

interface IdleProcess {
  readonly process: ExtractorProcess;
  /** Null if the process has not read any file yet. */
  readonly tenant: string | null;
  readonly timer: NodeJS.Timeout;
}

/**
 * Creates a pool of up to `max` processes. Stops a process that was idle for a minute. When tenants alternate, starts
 * one more process in advance, so that the next change of tenant does not have to wait.
 */
export function createTenantProcesses(spawn: () => ExtractorProcess, max: number): TenantProcesses {
  const all = new Set<ExtractorProcess>();
  const exiting = new Set<Promise<void>>();
  /** Idle processes, oldest first. */
  const idle: IdleProcess[] = [];
  let isStopped = false;

  const start = (): ExtractorProcess => {
    const process = spawn();
    all.add(process);
    return process;
  };
  const kill = async (process: ExtractorProcess): Promise<void> => {
    all.delete(process);
    const exit = process.kill();
    exiting.add(exit);
    await exit;
    exiting.delete(exit);
  };
  const keep = (process: ExtractorProcess, tenant: string | null): void => {
    const timer = setTimeout(() => {
      take((entry) => entry.process === process);
      void kill(process);
    }, idleTimeoutMs).unref();
    idle.push({ process, tenant, timer });
  };
  /** Removes and returns the newest idle process that matches, or null. */
  const take = (matches: (entry: IdleProcess) => boolean): ExtractorProcess | null => {
    for (let entry = idle.findLast(matches); entry !== undefined; entry = idle.findLast(matches)) {
      idle.splice(idle.indexOf(entry), 1);
      clearTimeout(entry.timer);
      if (entry.process.isAlive) return entry.process;
      all.delete(entry.process);
    }
    return null;
  };
  /** Kills idle processes of other tenants, oldest first, until there are at most `max` processes. */
  const evict = (): boolean => {
    let hasEvicted = false;
    while (all.size > max) {
      const oldest = idle.find(({ tenant }) => tenant !== null);
      const process = oldest && take((entry) => entry === oldest);
      if (process == null) break;
      void kill(process);
      hasEvicted = true;
    }
    return hasEvicted;
  };

  return {
    acquire(tenant) {
      const own = take((entry) => entry.tenant === tenant);
      if (own !== null) return own;
      const process = take((entry) => entry.tenant === null) ?? start();
      if (evict()) keep(start(), null);
      return process;
    },
    release(process, tenant) {
      if (isStopped || !process.isAlive || process.filesRead >= maxFilesPerProcess)
        void kill(process);
      else keep(process, tenant);
    },
    async stop() {
      isStopped = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...[...all].map(kill), ...exiting]);
    },
  };
}
