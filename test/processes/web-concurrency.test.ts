import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restartDelayMs } from '../../src/server/cluster/run-primary.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await start();
  await allReady();
}, 120_000);
afterAll(async () => {
  await service?.kill();
  await database?.drop();
});

const start = (settings: Record<string, string> = {}) =>
  startServiceProcess({ DATABASE_URL: database.url, WEB_CONCURRENCY: '2', ...settings });

function childrenOf(pid: number): string[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.split(' ').filter((child) => child !== '');
}

/** Requests with a connection of its own, so that the processes take turns. */
const request = (path: string) =>
  fetch(`${service.url}${path}`, { headers: { Connection: 'close' } });

async function metric(pattern: RegExp): Promise<number[]> {
  const text = await (await request('/metrics')).text();
  return [...text.matchAll(pattern)].map(([, value]) => Number(value));
}

/** Waits until all processes have started. */
const allReady = () =>
  waitUntil(async () => (await metric(/^grounded_chat_processes (\d+)$/gm))[0] === 3, {
    timeoutMs: 30_000,
  });

const requestCount = /^http_requests_total\{.*route="\/health\/live".*\} (\d+)$/gm;

test('two API processes share a port, one runs the jobs, and the metrics are those of all', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await request('/health/live')).status).toBe(200);
  }
  // The count follows the end of a response.
  await waitUntil(async () => (await metric(requestCount))[0] === 10);
  for (let count = 0; count < 4; count += 1) expect(await metric(requestCount)).toEqual([10]);
  expect(await metric(/^grounded_chat_build_info\{.*\} (\d+)$/gm)).toEqual([1]);
  const [heap = 0] = await metric(/^nodejs_heap_size_used_bytes (\d+)$/gm);
  expect(heap).toBeGreaterThan(100_000_000);
});

test('a process that dies is replaced, and requests are answered meanwhile', async () => {
  const before = childrenOf(service.pid);
  for (const victim of before) {
    process.kill(Number(victim), 'SIGKILL');
    await waitUntil(() => {
      const now = childrenOf(service.pid);
      return now.length === 3 && !now.includes(victim);
    });
    expect((await request('/health/live')).status).toBe(200);
    await allReady();
  }
}, 60_000);

test('it stops gracefully, with all its processes', async () => {
  const other = await start();
  await waitUntil(() => childrenOf(other.pid).length === 3);
  const children = childrenOf(other.pid);
  expect(await other.stop()).toBe(0);
  for (const pid of children) expect(isRunning(pid)).toBe(false);
}, 60_000);

test('if the primary process is killed, the others end', async () => {
  const other = await start();
  await waitUntil(() => childrenOf(other.pid).length === 3);
  const children = childrenOf(other.pid);
  await other.kill();
  await waitUntil(() => children.every((pid) => !isRunning(pid)));
}, 60_000);

test('a start that fails ends all, with one message', async () => {
  const { port } = new URL(service.url);
  const failed = start({ PORT: port });
  await expect(failed).rejects.toThrow(/ended with 1:[\s\S]*EADDRINUSE/);
  const text = await failed.catch((error: Error) => error.message);
  expect(String(text).match(/EADDRINUSE/g)).toHaveLength(1);
}, 60_000);

test('the delay before a process starts again doubles, up to half a minute', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7].map(restartDelayMs);
  expect(delays).toEqual([0, 1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1_000));
});

function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
