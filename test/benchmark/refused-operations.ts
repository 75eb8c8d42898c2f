/**
 * Measures the time that the service needs to refuse a GraphQL operation that is too expensive.
 *
 *   npm run benchmark refused-operations -- [--rounds 20]
 *
 * Uses the embedded database and sends one request at a time. "first" is the first request of this kind, "p50" and
 * "max" are the requests after it. "CPU" is the median processor time of all threads of the service during a request.
 * Other processes of the machine do not affect it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expensiveOperations } from '../support/api/expensive-operations.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { readCpuMilliseconds } from '../support/programs/process-cpu.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { readFlags } from './flags.ts';

const { rounds } = readFlags({ rounds: 20 });
const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-refused-'));
const service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
const client = graphqlClient(service.url, service.key);
const projectId = '0198c0de-0000-7000-8000-000000000000';

try {
  const rows: Record<string, unknown> = {};
  await client.send('{ __typename }');
  for (const { name, query, variables } of expensiveOperations) {
    const times: number[] = [];
    const cpu: number[] = [];
    let code: string | undefined;
    for (let round = 0; round <= rounds; round += 1) {
      const cpuBefore = readCpuMilliseconds(service.pid);
      const start = performance.now();
      const { errors } = await client.send(query, { projectId, ...variables });
      times.push(performance.now() - start);
      cpu.push(readCpuMilliseconds(service.pid) - cpuBefore);
      code = errors?.[0]?.extensions.code;
    }
    rows[name] = {
      bytes: Buffer.byteLength(query),
      code,
      'first (ms)': round1(times[0]),
      'p50 (ms)': round1(quantile(times.slice(1), 0.5)),
      'max (ms)': round1(quantile(times.slice(1), 1)),
      'CPU (ms)': round1(quantile(cpu.slice(1), 0.5)),
    };
  }
  console.table(rows);
} finally {
  await service.kill();
  await rm(dataDir, { recursive: true, force: true });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function round1(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}
