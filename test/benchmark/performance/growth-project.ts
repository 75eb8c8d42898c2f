import type pg from 'pg';
import { pino } from 'pino';
import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';
import { ensureEmbeddingModel } from '../../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import type { ClusteredVectors } from '../clustered-vectors.ts';
import type { Passage } from '../generated-passages.ts';
import { indexVectors, loadInBulk } from '../load-in-bulk.ts';
import { findProjects } from '../load-projects.ts';
import { questionsFor } from '../measure-search.ts';
import type { MeasuredProcess } from './processes.ts';
import { modelName } from './systems.ts';

export interface GrowthOptions {
  readonly model: MeasuredProcess;
  readonly vectors: ClusteredVectors;
  readonly passages: readonly Passage[];
  readonly dimensions: number;
  readonly seconds: number;
}

const questionCount = 2_000;

/** Loads and indexes the project. Returns questions, for which the model server then returns vectors of its topics. */
export async function prepareProject(
  pool: pg.Pool,
  chunks: number,
  { model, vectors, passages, dimensions }: GrowthOptions,
): Promise<string[]> {
  const modelId = await ensureEmbeddingModel(pool, { name: modelName, dimensions });
  const random = seededRandom(2);
  const source = { random, vectors, passages: passages.slice(0, chunks) };
  await loadInBulk(pool, { sizes: [chunks], modelId, ...source });
  await indexVectors(pool, pino({ level: 'silent' }));
  const [project] = await findProjects(pool);
  if (project === undefined) throw new Error('The project was not loaded');
  const known = await readPassages(pool, passages);
  const questions = questionsFor(project, { count: questionCount, ...source, passages: known });
  await setVectors(
    model,
    questions.map(({ queryVector }) => [...queryVector]),
  );
  return questions.map(({ query }) => query);
}

/** Returns some passages of the project. A search for words of other passages would also correct their spelling. */
async function readPassages(pool: pg.Pool, passages: readonly Passage[]): Promise<Passage[]> {
  const { rows } = await pool.query<{ content: string }>(
    'select content from grounded.chunks limit $1',
    [questionCount],
  );
  const contents = new Set(rows.map(({ content }) => content));
  return passages.filter(({ content }) => contents.has(content));
}

async function setVectors(
  model: MeasuredProcess,
  vectors: readonly (readonly number[])[],
): Promise<void> {
  await fetch(`${model.origin}/settings`, { method: 'POST', body: JSON.stringify({ vectors }) });
}
