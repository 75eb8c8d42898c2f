/**
 * Measures search with many chunks in projects of different sizes: disk size, index build time, recall, latency, rows.
 *
 *   npm run benchmark growth -- [--chunks 1000000] [--projects 500] [--largest 200000] [--questions 200]
 *     [--dimensions 384] [--url postgresql://…]
 *
 * Fills the database at `--url` if it is empty. Otherwise measures the data of an earlier run. Use a dedicated server.
 * Without `--url`, uses a new database on the server at TEST_DATABASE_URL, or else on a private one, and drops it.
 */
import pg from 'pg';
import { pino } from 'pino';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { migrate } from '../../supabase/migrate.ts';
import { clusteredVectors } from './clustered-vectors.ts';
import { openDatabase } from './database-server.ts';
import { readFlags } from './flags.ts';
import { generatePassages } from './generated-passages.ts';
import { indexVectors, loadInBulk } from './load-in-bulk.ts';
import { findProjects, projectSizes } from './load-projects.ts';
import { listReadPartitions, questionsFor, recallAtTen, searchLatency } from './measure-search.ts';
import { measureWriting } from './measure-writing.ts';

const tableSizesSql = `
  select kind, pg_size_pretty(sum(pg_total_relation_size(oid) - pg_indexes_size(oid))) as rows,
    pg_size_pretty(sum(pg_indexes_size(oid))) as indexes, sum(reltuples)::bigint as count
  from (select oid, reltuples, regexp_replace(relname, '_p[0-9]+$', '') as kind from pg_class
    where relnamespace = 'grounded'::regnamespace and relispartition and relkind = 'r') p
  group by kind
  union all
  select 'hnsw', null, pg_size_pretty(sum(pg_relation_size(oid))), sum(reltuples)::bigint from pg_class
  where relname ~ '^chunk_vectors_p[0-9]+_hnsw_[0-9]+$'
  order by kind`;

const flags = readFlags({
  ...{ url: '', chunks: 1_000_000, projects: 500, largest: 200_000 },
  ...{ questions: 200, dimensions: 384 },
});
const { dimensions } = flags;

const database = await openDatabase(flags.url);
await migrate(database.url);
const pool = new pg.Pool({
  connectionString: database.url,
  max: 8,
  options: '-c grounded.tenant=system',
});
const random = seededRandom(1);
const vectors = clusteredVectors(random, { dimensions, clusters: 500, intrinsic: 30 });
const passages = generatePassages(random, 20_000);
const modelId = await ensureEmbeddingModel(pool, { name: 'generated', dimensions });

const source = { random: seededRandom(2), vectors, passages };

if ((await findProjects(pool)).length === 0) await load();
const projects = await findProjects(pool);
const middle = Math.floor(projects.length / 2);
const sampledProjects = new Map(
  Object.entries({
    largest: 0,
    second: 1,
    tenth: 9,
    median: middle,
    smallest: projects.length - 1,
  }),
);

const { rowCount: indexed } = await pool.query(
  `select from pg_class where relname ~ '^chunk_vectors_p[0-9]+_hnsw_[0-9]+$' limit 1`,
);
if (indexed === 0) {
  await reportSearch('without indexes');
  console.table({ 'writing without indexes': await measureWritingRow() });
}
await indexVectors(pool, pino({ level: 'info' }, pino.destination(2)));
await reportSearch('with indexes');
console.table({ 'writing with indexes': await measureWritingRow() });
await reportSizes();
await reportAllProjects();
await pool.end();
await database.drop();

async function load(): Promise<void> {
  const sizes = projectSizes({
    total: flags.chunks,
    projects: flags.projects,
    largest: flags.largest,
    smallest: 20,
  });
  await loadInBulk(pool, { sizes, modelId, vectors, passages, random });
}

async function reportSearch(title: string): Promise<void> {
  const table: Record<string, unknown> = {};
  for (const [name, position] of sampledProjects) {
    const project = projects[position];
    if (project === undefined) continue;
    const questions = questionsFor(project, { ...source, count: flags.questions });
    const clients = 8;
    await searchLatency(pool, modelId, questions.slice(0, 20), { clients, limit: 10 }); // warms up
    const [recall, alone, together] = [
      await recallAtTen(pool, modelId, questions),
      await searchLatency(pool, modelId, questions, { clients: 1, limit: 10 }),
      await searchLatency(pool, modelId, questions, { clients, limit: 10 }),
    ];
    table[name] = {
      chunks: project.chunks,
      'recall@10': recall.toFixed(3),
      'p50 alone': alone.p50.toFixed(1),
      'p95 alone': alone.p95.toFixed(1),
      'p50 of 8': together.p50.toFixed(1),
      'p95 of 8': together.p95.toFixed(1),
      'p99 of 8': together.p99.toFixed(1),
      'fewest hits': together.fewestHits,
    };
  }
  console.log(title);
  console.table(table);
}

async function measureWritingRow(): Promise<Record<string, number>> {
  const row: Record<string, number> = {};
  for (const name of ['largest', 'smallest']) {
    const project = projects[sampledProjects.get(name) ?? 0];
    if (project === undefined) continue;
    const { publishMs, deleteMs } = await measureWriting(pool, modelId, project, source);
    row[`publish, ${name} (ms a chunk)`] = publishMs;
    row[`delete, ${name} (ms a chunk)`] = deleteMs;
  }
  return row;
}

async function reportSizes(): Promise<void> {
  const { rows } = await pool.query(tableSizesSql);
  console.table(rows);
}

/** Searches each project twice, for 10 and for 50 results, and checks that each search uses one partition per table. */
async function reportAllProjects(): Promise<void> {
  let [short, most] = [0, 0];
  for (const project of projects) {
    const questions = questionsFor(project, { ...source, count: 1 });
    for (const limit of [10, 50]) {
      const { fewestHits } = await searchLatency(pool, modelId, questions, { clients: 1, limit });
      if (fewestHits < Math.min(limit, project.chunks)) short += 1;
    }
    const [question] = questions;
    if (question === undefined) continue;
    most = Math.max(most, (await listReadPartitions(pool, modelId, question)).length);
  }
  console.log(
    `${projects.length} projects: ${short} answers with fewer rows than asked for; ` +
      `at most ${most} partitions touched, of two tables`,
  );
}
