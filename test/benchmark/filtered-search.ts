/**
 * Measures searches with filters that match 1, 10, 50 and 90 % of the documents of one project: recall and time.
 *
 *   npm run filtered-search -- [--url postgresql://…] [--chunks 100000] [--questions 50] [--dimensions 384]
 *
 * Fills the database if it is empty. Otherwise measures the data of an earlier run. Without `--url`, uses an embedded
 * database.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { startEmbeddedDatabase } from '../../src/platform/embedded/start-embedded-database.ts';
import { migrate } from '../../supabase/migrate.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { clusteredVectors } from './clustered-vectors.ts';
import { generatePassages } from './generated-passages.ts';
import { findProjects, loadProjects } from './load-projects.ts';
import { fillBuckets, measureFilteredSearch } from './measure-filtered-search.ts';
import { questionsFor } from './measure-search.ts';

const { values: flags } = parseArgs({
  options: {
    url: { type: 'string' },
    chunks: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '50' },
    dimensions: { type: 'string', default: '384' },
  },
});
const dimensions = Number(flags.dimensions);
const embedded = flags.url === undefined ? await startEmbeddedDatabase({ dataDir: null }) : null;
const url = flags.url ?? embedded?.url;
if (url === undefined) throw new Error('no database');
await migrate(url);
const options = '-c grounded.tenant=system';
const pool = new pg.Pool({ connectionString: url, max: 4, options });
const random = seededRandom(1);
const vectors = clusteredVectors(random, { dimensions, clusters: 100, intrinsic: 30 });
const passages = generatePassages(random, 20_000);
const modelId = await ensureEmbeddingModel(pool, { name: 'generated', dimensions });

if ((await findProjects(pool)).length === 0) {
  const sizes = [Number(flags.chunks)];
  await loadProjects(pool, { sizes, modelId, vectors, passages, random: seededRandom(2) });
  await fillBuckets(pool);
  await pool.query('analyze grounded.chunks, grounded.chunk_vectors');
  const signal = new AbortController().signal;
  await buildVectorIndexes({ pool, signal, log: pino({ level: 'silent' }) });
}
const [project] = await findProjects(pool);
if (project === undefined) throw new Error('no project');
const asked = { count: Number(flags.questions), random: seededRandom(3), vectors, passages };
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
await embedded?.stop();
