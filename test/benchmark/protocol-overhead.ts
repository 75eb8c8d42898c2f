/**
 * Measures how much time the interface for OpenAI's clients and the MCP server add to the REST API.
 *
 *   npm run benchmark protocol-overhead -- [--rounds 200]
 *
 * Uses the embedded database and the built-in models. Asks the same question by each protocol in turn, so that the load
 * of the machine affects all of them. "Added" is the median difference to REST in the same round. "CPU" is the
 * processor time of all threads of the service during a request. Other processes of the machine affect it less.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCpuMilliseconds } from '../support/programs/process-cpu.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { readFlags } from './flags.ts';

const { rounds } = readFlags({ rounds: 200 });
const warmUpRounds = 20;
const question = 'Which files can I upload?';

const asked = [{ role: 'user', content: question }];
const call = { name: 'ask', arguments: { message: question } };
/** Path and body of the same question for each protocol. REST is first. */
const requests = {
  'POST /api/v1/chat': ['/api/v1/chat', { message: question }],
  'POST /v1/chat/completions': ['/v1/chat/completions', { model: 'grounded', messages: asked }],
  'POST /v1/responses': ['/v1/responses', { model: 'grounded', input: question }],
  'POST /mcp, tool ask': ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }],
} as const;

interface Measured {
  readonly wallMs: number[];
  readonly cpuMs: number[];
}

const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-overhead-'));
const service = await startServiceProcess({ DATA_DIR: dataDir, NODE_ENV: 'production' });

try {
  const measured = new Map<string, Measured>();
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [name, [path, body]] of Object.entries(requests)) {
      const { wallMs, cpuMs } = await measure(path, body);
      if (round < 0) continue;
      const values = measured.get(name) ?? { wallMs: [], cpuMs: [] };
      values.wallMs.push(wallMs);
      values.cpuMs.push(cpuMs);
      measured.set(name, values);
    }
  }
  const [rest] = measured.values();
  if (rest === undefined) throw new Error('Nothing was measured');
  const rows = [...measured].map(([name, { wallMs, cpuMs }]) => [
    name,
    {
      'median (ms)': median(wallMs),
      'added (ms)': median(differences(wallMs, rest.wallMs)),
      'CPU (ms)': median(cpuMs),
      'added CPU (ms)': median(differences(cpuMs, rest.cpuMs)),
    },
  ]);
  console.table(Object.fromEntries(rows));
} finally {
  await service.kill();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(path: string, body: object): Promise<{ wallMs: number; cpuMs: number }> {
  const cpuBefore = readCpuMilliseconds(service.pid);
  const startedAt = performance.now();
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const wallMs = performance.now() - startedAt;
  if (!response.ok || text.includes('isError')) throw new Error(`${path}: ${text}`);
  return { wallMs, cpuMs: readCpuMilliseconds(service.pid) - cpuBefore };
}

function differences(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, index) => value - (others[index] ?? 0));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10;
}
