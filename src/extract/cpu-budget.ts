import { createContext, Script } from 'node:vm';

/** CPU time that several tasks share. */
export interface CpuBudget {
  /**
   * Runs a synchronous task, which must be safe to repeat. Returns null if the budget is used up, or if the task nests
   * too deeply for the stack.
   */
  run<Result>(task: () => Result): Result | null;
}

/**
 * Creates a budget of milliseconds of CPU time of this process. The timeout of `vm` is wall-clock time, of which a task
 * gets only a part on a busy machine. So a task that was stopped too early is repeated with more time.
 */
export function createCpuBudget(budgetMs: number): CpuBudget {
  let leftMs = budgetMs;
  return {
    run(task) {
      let timeoutMs = leftMs;
      let usedMs = 0;
      // With no more time than before, a repetition would be stopped at the same place.
      while (leftMs >= 1 && leftMs > usedMs) {
        const usage = process.cpuUsage();
        try {
          return runWithTimeout(task, timeoutMs);
        } catch (error) {
          if (isStackOverflow(error)) return null;
          if (!isTimeout(error)) throw error;
        } finally {
          const { user, system } = process.cpuUsage(usage);
          usedMs = (user + system) / 1_000;
          leftMs -= usedMs;
        }
        timeoutMs *= Math.min(maxTimeoutGrowth, leftMs / usedMs);
      }
      return null;
    },
  };
}

/** Limits the CPU time of a repetition in case the machine is less busy then. */
const maxTimeoutGrowth = 4;

const script = new Script('task()');

/** Runs the task in this realm. `vm` is used because only it can stop synchronous code. */
function runWithTimeout<Result>(task: () => Result, timeoutMs: number): Result {
  let result: { readonly value: Result } | undefined;
  const context = createContext({
    task: () => {
      result = { value: task() };
    },
  });
  script.runInContext(context, { timeout: Math.ceil(timeoutMs) });
  if (result === undefined) throw new Error('The task returned no result');
  return result.value;
}

/** Compares the name, because an error can be of another realm. */
function isStackOverflow(error: unknown): boolean {
  return propertyOf(error, 'name') === 'RangeError';
}

function isTimeout(error: unknown): boolean {
  return propertyOf(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function propertyOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
