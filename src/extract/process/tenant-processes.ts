import type { ExtractorProcess } from './extractor-process.ts';

/** After this many files a process is replaced, which bounds the effect of memory leaks. */
const maxFilesPerProcess = 100;
const idleTimeoutMs = 60_000;

/** Processes that read files of one tenant each. A process that has read a file is never given to another tenant. */
export interface TenantProcesses {
  /** Returns an idle process of this tenant, or one that has read no file yet. */
  acquire(tenant: string): ExtractorProcess;
  release(process: ExtractorProcess, tenant: string): void;
  /** Kills all processes. */
  stop(): Promise<void>;
}

interface IdleProcess {
  readonly process: ExtractorProcess;
  /** Null if the process has read no file yet. */
  readonly tenant: string | null;
  readonly timer: NodeJS.Timeout;
}

/**
 * Keeps up to `max` processes, and stops idle ones after a minute. When tenants alternate, starts one more in advance,
 * so that the next change of tenant does not wait for a start.
 */
export function createTenantProcesses(spawn: () => ExtractorProcess, max: number): TenantProcesses {
  const all = new Set<ExtractorProcess>();
  const exiting = new Set<Promise<void>>();
  /** Oldest first. */
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
  /** Removes and returns the newest idle process that matches. */
  const take = (matches: (entry: IdleProcess) => boolean): ExtractorProcess | null => {
    for (let entry = idle.findLast(matches); entry !== undefined; entry = idle.findLast(matches)) {
      idle.splice(idle.indexOf(entry), 1);
      clearTimeout(entry.timer);
      if (entry.process.isAlive) return entry.process;
      all.delete(entry.process);
    }
    return null;
  };
  /** Makes room for a process by killing idle ones of other tenants, oldest first. */
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
