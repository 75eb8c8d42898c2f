import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ExtractorProcess } from '../../../src/extract/process/extractor-process.ts';
import {
  createTenantProcesses,
  type TenantProcesses,
} from '../../../src/extract/process/tenant-processes.ts';

interface FakeProcess extends ExtractorProcess {
  filesRead: number;
  isAlive: boolean;
}

let started: FakeProcess[];
const spawn = (): ExtractorProcess => {
  const process: FakeProcess = {
    filesRead: 0,
    isAlive: true,
    extract: async () => ({ outcome: 'chunks', chunks: [], warnings: [] }),
    async kill() {
      process.isAlive = false;
    },
  };
  started.push(process);
  return process;
};
const alive = () => started.filter(({ isAlive }) => isAlive).length;

/** Reads one file of the tenant. Returns the number of the process that read it. */
function read(processes: TenantProcesses, tenant: string): number {
  const process = processes.acquire(tenant);
  const number = started.indexOf(process as FakeProcess);
  const fake = started[number];
  if (fake === undefined) throw new Error('an unknown process');
  fake.filesRead += 1;
  processes.release(process, tenant);
  return number;
}

beforeEach(() => {
  started = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a tenant uses its process again, and no other is started', () => {
  const processes = createTenantProcesses(spawn, 1);
  expect([read(processes, 'a'), read(processes, 'a'), read(processes, 'a')]).toEqual([0, 0, 0]);
  expect(started).toHaveLength(1);
});

test('a process that has read a file of one tenant is never given to another', () => {
  const processes = createTenantProcesses(spawn, 3);
  const tenants = new Map<number, string>();
  for (let n = 0; n < 500; n += 1) {
    const tenant = `tenant ${(n * 7) % 11}`;
    const number = read(processes, tenant);
    expect(tenants.get(number) ?? tenant).toBe(tenant);
    tenants.set(number, tenant);
    expect(alive()).toBeLessThanOrEqual(4);
  }
});

test('when tenants alternate, the next one finds a process that has started already', () => {
  const processes = createTenantProcesses(spawn, 1);
  read(processes, 'a');
  read(processes, 'b');
  const before = started.length;
  expect(read(processes, 'c')).toBe(before - 1);
  expect(alive()).toBe(2);
});

test('a dead process is not used, and idle ones stop after a minute', async () => {
  const processes = createTenantProcesses(spawn, 2);
  read(processes, 'a');
  await started[0]?.kill();
  expect(read(processes, 'a')).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(alive()).toBe(0);
});

test('a process is replaced after 100 files', () => {
  const processes = createTenantProcesses(spawn, 1);
  const numbers = Array.from({ length: 101 }, () => read(processes, 'a'));
  expect(numbers.slice(-2)).toEqual([0, 1]);
});
