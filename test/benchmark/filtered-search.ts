/**
 * Measures searches with filters that match 1, 10, 50 and 90 % of the documents of one project: recall and time.
 *
 *   npm run benchmark filtered-search -- [--chunks 100000] [--questions 50] [--dimensions 384] [--url postgresql://…]
 *
 * Fills the database at `--url` if it is empty. Otherwise measures the data of an earlier run. Without `--url`, uses a
 * new database on the server at TEST_DATABASE_URL, or else on a private one, and drops it.
 */
import pg from 'pg';
import { pino } from 'pino';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { migrate } from '../../supabase/migrate.ts';
import { clusteredVectors } from './clustered-vectors.ts';
import { openDatabase } from './database-server.ts';
import { readFlags } from './flags.ts';
import { generatePassages } from './generated-passages.ts';
import { findProjects, loadProjects } from './load-projects.ts';
import { fillBuckets, measureFilteredSearch } from './measure-filtered-search.ts';
import { questionsFor } from './measure-search.ts';

const flags = readFlags({ url: '', chunks: 100_000, questions: 50, dimensions: 384 });
const { dimensions } = flags;
const database = await openDatabase(flags.url);
await migrate(database.url);
const options = '-c grounded.tenant=system';
const pool = new pg.Pool({ connectionString: database.url, max: 4, options });
const random = seededRandom(1);
const vectors = clusteredVectors(random, { dimensions, clusters: 100, intrinsic: 30 });
const passages = generatePassages(random, 20_000);
const modelId = await ensureEmbeddingModel(pool, { name: 'generated', dimensions });

if ((await findProjects(pool)).length === 0) {
  const sizes = [flags.chunks];
  await loadProjects(pool, { sizes, modelId, vectors, passages, random: seededRandom(2) });
  await fillBuckets(pool);
  await pool.query('analyze grounded.chunks, grounded.chunk_vectors');
  const signal = new AbortController().signal;
  await buildVectorIndexes({ pool, signal, log: pino({ level: 'silent' }) });
}
const [project] = await findProjects(pool);
if (project === undefined) throw new Error('no project');
const asked = { count: flags.questions, random: seededRandom(3), vectors, passages };
const questions = questionsFor(project, asked);
for (const buckets of [1, 10, 50, 90]) {
  const { recall, medianMs, vectorMs } = await measureFilteredSearch(
    pool,
    modelId,
    questions,
    buckets,
  );
  process.stdout.write(
    `${buckets} %: recall@10 ${recall.toFixed(3)}, median ${medianMs.toFixed(0)} ms, vectors only ${vectorMs.toFixed(0)} ms\n`,
  );
}
await pool.end();
await database.drop();
