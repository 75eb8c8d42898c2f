/**
 * Measures the time of a search while the service is idle, and while it ingests the slowest files that a plan allows.
 *
 *   npm run benchmark search-during-ingestion -- [--seconds 20] [--only prose]
 *
 * Uses the embedded database. Sends five searches a second. Each has another question, so that no cache answers it.
 * "loop" is the event-loop delay of the serving process, and "CPU" is the number of cores that its threads used. On a
 * shared machine, both are more reliable than the times.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildDocx, table } from '../fixtures/build-docx.ts';
import { restClient } from '../support/api/rest-client.ts';
import { readCpuMilliseconds } from '../support/programs/process-cpu.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { readFlags } from './flags.ts';

const { seconds, only } = readFlags({ seconds: 20, only: '' });

const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-latency-'));
const service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const client = restClient(`${service.url}/api/v1`, service.key ?? '');

const wideRow = Array.from({ length: 300 }, (_, column) => `c${column}`);
const worstFiles: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['one line of 9 MB.csv', Buffer.from('name,'.repeat(1_800_000))],
  ['table of 300,000 cells.docx', buildDocx(table(Array.from({ length: 1_000 }, () => wideRow)))],
  ['links.md', Buffer.from('[a]('.repeat(250_000))],
  ['5 MB of prose.txt', Buffer.from(prose(5_000_000))],
];

try {
  await waitUntilReady();
  await searchFor(3);
  const idle = await measure();
  const rows: Record<string, unknown> = { idle: idle.row };
  for (const [name, bytes] of worstFiles.filter(([name]) => name.includes(only))) {
    const id = await upload(name, bytes);
    rows[name] = (await measure(idle.p99)).row;
    await client.delete(`/knowledge/documents/${id}`);
    await sleep(3_000);
  }
  console.table(rows);
} finally {
  await service.kill();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(idleP99?: number) {
  // Reading the metrics resets the histogram of the event loop.
  await eventLoopDelay();
  const [startedAt, cpuBefore] = [performance.now(), readCpuMilliseconds(service.pid)];
  const times = await searchFor(seconds);
  const cpu = (readCpuMilliseconds(service.pid) - cpuBefore) / (performance.now() - startedAt);
  const row = {
    ...summary(times, idleP99),
    ...(await eventLoopDelay()),
    'CPU (cores)': cpu.toFixed(2),
  };
  return { row, p99: quantile(times, 0.99) };
}

async function eventLoopDelay() {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const milliseconds = (name: string) =>
    Math.round(
      Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]) *
        1_000,
    );
  return { 'loop p99 (ms)': milliseconds('p99'), 'loop max (ms)': milliseconds('max') };
}

/** Starts five searches a second and returns their times in milliseconds. A slow search does not delay the next one. */
async function searchFor(duration: number): Promise<number[]> {
  const searches: Promise<number>[] = [];
  for (let n = 0; n < duration * 5; n++) {
    searches.push(timeSearch(`How much is room ${n} with breakfast in month ${searches.length}?`));
    await sleep(200);
  }
  return Promise.all(searches);
}

async function timeSearch(query: string): Promise<number> {
  const start = performance.now();
  const { status } = await client.post('/knowledge/search', { query });
  if (status !== 200) throw new Error(`Search failed with ${status}`);
  return performance.now() - start;
}

function summary(times: readonly number[], idleP99?: number) {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  const ratio = idleP99 === undefined ? '' : (p99 / idleP99).toFixed(1);
  return { 'p50 (ms)': Math.round(p50), 'p99 (ms)': Math.round(p99), 'p99 ÷ idle': ratio };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const response = await client.upload(
    '/knowledge/documents/upload',
    new File([Uint8Array.from(bytes)], name),
  );
  if (response.status !== 201) throw new Error(`Upload failed: ${await response.text()}`);
  const { id }: { readonly id: string } = await response.json();
  return id;
}

async function waitUntilReady(): Promise<void> {
  for (;;) {
    const documents = await (await client.get('/knowledge/documents?limit=50')).text();
    if (!documents.includes('PROCESSING')) return;
    await sleep(500);
  }
}

function prose(bytes: number): string {
  const paragraphs: string[] = [];
  for (let n = 0, length = 0; length < bytes; n++) {
    const text = `Room ${n} costs ${100 + (n % 90)} euros a night in month ${n % 12}. It has ${n % 5} windows, and breakfast is served until ${7 + (n % 4)}.`;
    paragraphs.push(text);
    length += text.length + 2;
  }
  return paragraphs.join('\n\n');
}
