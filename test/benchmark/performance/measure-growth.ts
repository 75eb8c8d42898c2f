import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../../support/database/database.ts';
import { parseScrape, type Scrape } from '../../support/prometheus.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { post } from './calls.ts';
import { percentile } from './figures.ts';
import {
  clientCounts,
  type GrowthRun,
  memoryFor,
  type Place,
  places,
  type SearchFigures,
} from './growth-figures.ts';
import { type GrowthOptions, prepareProject } from './growth-project.ts';
import { postgresCpu } from './postgres-cpu.ts';
import type { MeasuredProcess } from './processes.ts';
import { createKey, serviceSettings, startService } from './systems.ts';

/** An index of 500,000 vectors is built several times faster if its graph fits into this memory. */
const connectionOptions = '-c grounded.tenant=system -c maintenance_work_mem=1GB';

/** Loads a project with this many chunks into a new database, and measures its searches in each place. */
export async function measureSize(chunks: number, options: GrowthOptions): Promise<GrowthRun[]> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-benchmark-'));
  const connectionString = database.directUrl ?? database.url;
  const pool = new pg.Pool({ connectionString, max: 2, options: connectionOptions });
  try {
    const queries = await prepareProject(pool, chunks, options);
    const settings = serviceSettings(database, options.model, dataDir);
    const key = await createKey(settings, database);
    const runs: GrowthRun[] = [];
    for (const place of places) {
      const memoryMb = place === 'memory' ? memoryFor(chunks, options.dimensions) : 0;
      const service = await startService({
        ...settings,
        SEARCH_INDEX_MEMORY_MB: String(memoryMb),
      });
      try {
        const searcher = { service, key, queries, postgresCpu: await postgresCpu(pool) };
        const measured = await measurePlace(searcher, place, options.seconds);
        runs.push({ chunks, place, memoryMb, ...measured });
      } finally {
        await service.stop();
      }
    }
    return runs;
  } finally {
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Searcher {
  readonly service: MeasuredProcess;
  readonly key: string;
  readonly queries: readonly string[];
  readonly postgresCpu: (() => number) | null;
}

async function measurePlace(
  searcher: Searcher,
  place: Place,
  seconds: number,
): Promise<Pick<GrowthRun, 'loadSeconds' | 'indexMb' | 'residentMb' | 'searches'>> {
  const loadSeconds = place === 'memory' ? await loadIndex(searcher) : null;
  // V8 optimizes the code, and caches are filled.
  await searchFor(searcher, 4, seconds);
  const indexMb = place === 'memory' ? await readIndexMb(searcher.service) : null;
  const residentMb = searcher.service.residentMegabytes();
  const searches: SearchFigures[] = [];
  for (const clients of clientCounts) {
    searches.push(await measureSearches(searcher, clients, seconds));
  }
  return { loadSeconds, indexMb, residentMb, searches };
}

const maxLoadMs = 15 * 60_000;
const loads = 'grounded_chat_search_index_loads_total';

/** Searches until the service has loaded the index. Returns the seconds that this took. */
async function loadIndex(searcher: Searcher): Promise<number> {
  const startedAt = performance.now();
  // The third search of a project starts the loading.
  for (const query of searcher.queries.slice(0, 3)) await search(searcher, query);
  const isLoaded = async () => {
    const metrics = await scrape(searcher.service);
    if (metrics.value(loads, { outcome: 'refused' }) > 0)
      throw new Error('The index was not loaded into memory: it has no room, or an error is above');
    return metrics.value(loads, { outcome: 'loaded' }) > 0;
  };
  await waitUntil(isLoaded, { timeoutMs: maxLoadMs, intervalMs: 20 });
  return (performance.now() - startedAt) / 1000;
}

async function readIndexMb(service: MeasuredProcess): Promise<number> {
  return (await scrape(service)).value('grounded_chat_search_index_bytes') / 2 ** 20;
}

async function scrape(service: MeasuredProcess): Promise<Scrape> {
  return parseScrape(await (await fetch(`${service.origin}/metrics`)).text());
}

async function measureSearches(
  searcher: Searcher,
  clients: number,
  seconds: number,
): Promise<SearchFigures> {
  const cpu = () => ({
    service: searcher.service.cpuMs(),
    postgres: searcher.postgresCpu?.() ?? null,
  });
  const before = cpu();
  const { times, failed, elapsedMs } = await searchFor(searcher, clients, seconds);
  const after = cpu();
  const count = times.length + failed;
  const postgresMs =
    after.postgres === null || before.postgres === null ? null : after.postgres - before.postgres;
  return {
    clients,
    p50Ms: times.length === 0 ? null : percentile(times, 0.5),
    p95Ms: times.length === 0 ? null : percentile(times, 0.95),
    perSecond: (times.length * 1000) / elapsedMs,
    serviceCpuMs: (after.service - before.service) / count,
    postgresCpuMs: postgresMs === null ? null : postgresMs / count,
    failedShare: failed / count,
  };
}

/** Searches for some seconds, and waits for the last answers. Prints the first error, and counts errors. */
async function searchFor(searcher: Searcher, clients: number, seconds: number) {
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const times: number[] = [];
  let [next, failed] = [0, 0];
  const client = async () => {
    while (performance.now() < deadline) {
      const sentAt = performance.now();
      next += 1;
      try {
        await search(searcher, searcher.queries[next % searcher.queries.length] ?? '');
        times.push(performance.now() - sentAt);
      } catch (error) {
        if (failed === 0) console.error(String(error));
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { times, failed, elapsedMs: performance.now() - startedAt };
}

/** @throws Error if the search fails or finds nothing */
async function search({ service, key }: Searcher, query: string): Promise<void> {
  const url = `${service.origin}/api/v1/knowledge/search`;
  const headers = { authorization: `Bearer ${key}` };
  const response = await post(url, headers, { query, limit: 5 });
  const { results } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'));
  if (results.length === 0) throw new Error(`Nothing found for ${query}`);
}
