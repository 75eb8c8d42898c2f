import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { type DueJobWatcher, startDueJobWatcher } from '../../src/platform/jobs/due-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

interface PendingRow {
  readonly name: string;
  readonly is_active: boolean;
  readonly due_in_ms: number;
}

let watcher: DueJobWatcher;
afterEach(() => watcher.stop());

/** Starts a watcher. Its statements return `replies` in turn, and after them no jobs. */
function watch(...replies: (readonly PendingRow[] | Error)[]) {
  const woken: string[] = [];
  const calls = { statements: 0, supervised: 0 };
  watcher = startDueJobWatcher({
    database: {
      async executeSql() {
        const reply = replies[calls.statements] ?? [];
        calls.statements += 1;
        if (reply instanceof Error) throw reply;
        return { rows: [...reply] };
      },
    },
    schema: 'grounded_jobs',
    wakeWorkers: (name) => woken.push(name),
    supervise: async () => {
      calls.supervised += 1;
    },
    log: pino({ level: 'silent' }),
  });
  return { woken, calls };
}

const due = (name: string, due_in_ms: number): PendingRow => ({
  name,
  is_active: false,
  due_in_ms,
});

test('wakes the workers of a queue with due jobs at once, such as jobs of a process that stopped', async () => {
  const { woken } = watch([due('ingest-document', -5), due('remove-file', 60_000)]);
  await waitUntil(() => woken.length > 0);
  expect(woken).toEqual(['ingest-document']);
});

test('wakes the workers of a delayed job when it is due', async () => {
  const { woken, calls } = watch([due('deliver-webhook', 100)], [due('deliver-webhook', -1)]);
  await waitUntil(() => woken.length > 0);
  expect(woken).toEqual(['deliver-webhook']);
  expect(calls).toEqual({ statements: 2, supervised: 0 });
});

test('supervises running jobs and then looks for the jobs that it has failed', async () => {
  const running = { name: 'ingest-document', is_active: true, due_in_ms: -1 };
  const { woken, calls } = watch([running], [due('ingest-document', -1)]);
  await waitUntil(() => woken.length > 0);
  expect(calls).toEqual({ statements: 2, supervised: 1 });
});

test('looks once after any number of finished jobs, and not again while nothing is pending', async () => {
  vi.useFakeTimers();
  try {
    const { calls } = watch();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.statements).toBe(1);
    for (let count = 0; count < 100; count += 1) watcher.scheduleCheck();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls.statements).toBe(2);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(calls).toEqual({ statements: 2, supervised: 0 });
  } finally {
    vi.useRealTimers();
  }
});

test('continues after a failed statement', async () => {
  const { woken } = watch(new Error('no database'), [due('remove-file', -1)]);
  watcher.scheduleCheck();
  await waitUntil(() => woken.length > 0);
  expect(woken).toEqual(['remove-file']);
});
