import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceProcess } from '../../support/programs/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Figure, figure, serviceFigure } from './figures.ts';
import type { MeasuredProcess } from './processes.ts';
import { type Systems, startService } from './systems.ts';

export async function measureStart(systems: Systems, rounds: number): Promise<Figure[]> {
  const rows: Start[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const row: Start[] = [];
    for (const system of [systems.floor, systems.service])
      row.push(await measureOneStart(() => system.start()));
    rows.push(row);
  }
  const column = (key: keyof Start) => rows.map((row) => row.map((start) => start[key]));
  return [
    figure('Start until ready', 'ms', column('startMs')),
    figure('Memory, 3 s after the start', 'MB', column('megabytes')),
  ];
}

/**
 * Measures starts without any settings, as by `npm start`: the embedded database and the built-in models. The data
 * directory has the tables and the example documents of an earlier start.
 */
export async function measureEmbeddedStart(rounds: number): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-benchmark-'));
  try {
    await fillDataDirectory(dataDir);
    const starts: Start[] = [];
    for (let round = 0; round < rounds; round += 1)
      starts.push(await measureOneStart(() => startService({ DATA_DIR: dataDir })));
    const place = 'Embedded database and built-in models';
    return [
      serviceFigure(
        `${place}: second start until ready`,
        'ms',
        starts.map(({ startMs }) => startMs),
      ),
      serviceFigure(
        `${place}: memory, 3 s later`,
        'MB',
        starts.map(({ megabytes }) => megabytes),
      ),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Start {
  readonly startMs: number;
  readonly megabytes: number;
}

async function measureOneStart(start: () => Promise<MeasuredProcess>): Promise<Start> {
  const process = await start();
  await sleep(3_000);
  const megabytes = process.residentMegabytes();
  await process.stop();
  return { startMs: process.startMs, megabytes };
}

/** Starts the service for the first time, and stops it when it has ingested its example documents. */
async function fillDataDirectory(dataDir: string): Promise<void> {
  const service = await startServiceProcess({ DATA_DIR: dataDir, NODE_ENV: 'production' });
  try {
    const headers = { authorization: `Bearer ${service.key}` };
    const count = async (filter: string) => {
      const url = `${service.url}/api/v1/knowledge/documents?limit=1${filter}`;
      const { total } = (await (await fetch(url, { headers })).json()) as { total: number };
      return total;
    };
    const isIngested = async () =>
      (await count('')) > 0 && (await count('&status=PROCESSING')) === 0;
    await waitUntil(isIngested, { timeoutMs: 60_000, intervalMs: 100 });
  } finally {
    await service.stop();
  }
}
