import { expect, test } from 'vitest';
import { createCpuBudget } from '../../src/extract/cpu-budget.ts';

/** Takes wall-clock time without CPU time, as on a busy machine. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('a task that only waits for the processor is not stopped', () => {
  const result = createCpuBudget(100).run(() => {
    sleep(500);
    return 'done';
  });
  expect(result).toBe('done');
});

test('a task that uses up the budget is stopped, and then no other starts', () => {
  const budget = createCpuBudget(100);
  const usage = process.cpuUsage();
  const endless = () => {
    for (;;) Math.random();
  };
  // On a busy machine, an attempt is stopped before it has used all of the budget.
  for (let attempt = 0; attempt < 20; attempt += 1) expect(budget.run(endless)).toBeNull();
  expect(budget.run(() => 'done')).toBeNull();
  expect(process.cpuUsage(usage).user / 1_000).toBeLessThan(2_000);
});

test('an error of the task is thrown', () => {
  const failing = () => {
    throw new Error('broken');
  };
  expect(() => createCpuBudget(100).run(failing)).toThrow('broken');
});
