import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database.ts';
import { startAdapters } from '../../src/domain/adapters.ts';
import { type Context, systemContext } from '../../src/domain/context.ts';
import { jobHandlers } from '../../src/domain/jobs/workers.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { ask, loadSet, type Outcome } from './ask.ts';
import { readSets } from './dataset.ts';
import { reliabilityDiagram } from './diagram.ts';
import { compareRuns, comparisonTable, type Run, runOf, tableOf } from './report.ts';

const usage = `npm run eval -- [options]

  --data DIR          sets of documents and questions (default: the small set of the project)
  --sets A,B          only these sets
  --database URL      Postgres with pgvector (default: an embedded database)
  --keep DIR          keep the embedded database and files there, and ask again what was ingested before
  --out DIR           write run.json, with every question, and reliability.svg
  --compare FILE      a run.json of before: is the difference more than chance?

Models are those of the environment (OPENAI_BASE_URL, CHAT_MODEL, EMBEDDING_MODEL), else the built-in ones. A database
that is kept must be dropped when the chunker, the tokenizer or the embedding model has changed.`;

const organizationName = 'Evaluation';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('small', import.meta.url)) },
    sets: { type: 'string' },
    database: { type: 'string' },
    keep: { type: 'string' },
    out: { type: 'string' },
    compare: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else await main();

async function main(): Promise<void> {
  const names = values.sets?.split(',') ?? null;
  const sets = await readSets(resolve(values.data), names);
  const before = values.compare === undefined ? null : await readRun(values.compare);
  const dataDir = values.keep ?? (await mkdtemp(join(tmpdir(), 'grounded-chat-eval-')));
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopped.abort(new Error('Stopped')));
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const { DATABASE_URL: _, ...env } = process.env;
    const database = values.database === undefined ? {} : { DATABASE_URL: values.database };
    const config = readConfig({ ...env, ...database, DATA_DIR: dataDir });
    const run = await withContext(config, stopped.signal, async (context) => {
      const { id } =
        (await context.db.organization.findFirst({ where: { name: organizationName } })) ??
        (await createOrganization(context, { name: organizationName, plan: 'scale' }));
      const outcomes: Outcome[] = [];
      let ingestionMs = 0;
      for (const set of sets) {
        const startedAt = performance.now();
        const loaded = await loadSet(context, id, set);
        ingestionMs += performance.now() - startedAt;
        say(`${set.name}: ${set.documents.length} documents, ${set.questions.length} questions`);
        for (const question of set.questions) {
          context.signal.throwIfAborted();
          outcomes.push(await ask(context, set, loaded, question));
        }
      }
      const { model } = await context.models.servingEmbedding();
      const models = { embedding: model?.name ?? 'none', chat: context.models.chat.name };
      return runOf(models, outcomes, ingestionMs / 1_000);
    });
    await tell(run, before);
  } finally {
    if (values.keep === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

async function withContext<T>(
  config: Config,
  signal: AbortSignal,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, { onProgress: say, onFatal: fail });
  try {
    const adapters = await startAdapters({
      ...config,
      databaseUrl: database.url,
      isWorker: true,
      metrics: createMetrics().metrics,
      log: createLog('error'),
    });
    try {
      await adapters.queue.work(jobHandlers(adapters));
      return await work(systemContext(adapters, signal));
    } finally {
      await adapters.events.stop();
      await adapters.stop();
    }
  } finally {
    await database.stop();
  }
}

async function tell(run: Run, before: Run | null): Promise<void> {
  const { embedding, chat } = run.models;
  process.stdout.write(`\n${embedding}, ${chat}\n\n${tableOf(run)}\n`);
  if (before) process.stdout.write(`\n${comparisonTable(compareRuns(before, run))}\n`);
  if (values.out === undefined) return;
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, 'run.json'), `${JSON.stringify(run, null, 1)}\n`);
  const error = run.all.calibrationError;
  const title = `Expected calibration error ${error?.toFixed(3) ?? 'not measured'}`;
  await writeFile(join(values.out, 'reliability.svg'), reliabilityDiagram(run.reliability, title));
  say(`Written to ${values.out}`);
}

/** Written by this program. */
async function readRun(file: string): Promise<Run> {
  return JSON.parse(await readFile(file, 'utf8'));
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

function fail(error: Error): never {
  throw error;
}
