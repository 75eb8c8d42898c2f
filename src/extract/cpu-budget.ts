import { createContext, Script } from 'node:vm';

/** CPU time that several tasks share. */
export interface CpuBudget {
  /** Runs a synchronous task. Returns null if the budget is used up, or if the task nests too deeply for the stack. */
  run<Result>(task: () => Result): Result | null;
}

/** Creates a budget of milliseconds of CPU time of this process. A task may not wait longer than what is left of it. */
export function createCpuBudget(budgetMs: number): CpuBudget {
  let leftMs = budgetMs;
  return {
    run(task) {
      if (leftMs < 1) return null;
      const usage = process.cpuUsage();
      try {
        return runWithTimeout(task, leftMs);
      } catch (error) {
        if (isStackOverflow(error) || isTimeout(error)) return null;
        throw error;
      } finally {
        const { user, system } = process.cpuUsage(usage);
        leftMs -= (user + system) / 1_000;
      }
    },
  };
}

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
