import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSets } from './dataset.ts';
import { evaluateQuestion, loadSet, type QuestionResult } from './evaluate-question.ts';
import { logProgress, withEvaluation } from './evaluation-context.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { compareRuns, createRun, formatComparison, formatMetrics, type Run } from './report.ts';

const usage = `npm run eval -- [options]

  --data DIR          sets of documents and questions (default: the small sets of the project)
  --sets A,B          only these sets
  --database URL      Postgres with pgvector (default: an embedded database)
  --keep DIR          keep the embedded database and files there, and ask again what was ingested before
  --out DIR           write run.json, with every question, and reliability.svg
  --compare FILE      a run.json of before: is the difference more than chance?

Models are those of the environment (OPENAI_BASE_URL, CHAT_MODEL, EMBEDDING_MODEL), else the built-in ones. A database
that is kept must be dropped when the chunker, the tokenizer or the embedding model has changed.`;

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
  const sets = await readSets(resolve(values.data), values.sets?.split(',') ?? null);
  const before = values.compare === undefined ? null : await readRun(values.compare);
  const run = await withEvaluation(values, async (context, organizationId) => {
    const outcomes: QuestionResult[] = [];
    let ingestionMs = 0;
    for (const set of sets) {
      const startedAt = performance.now();
      const loaded = await loadSet(context, organizationId, set);
      ingestionMs += performance.now() - startedAt;
      logProgress(
        `${set.name}: ${set.documents.length} documents, ${set.questions.length} questions`,
      );
      for (const question of set.questions) {
        context.signal.throwIfAborted();
        outcomes.push(await evaluateQuestion(context, set, loaded, question));
      }
    }
    const { model } = await context.models.servingEmbedding();
    const models = { embedding: model?.name ?? 'none', chat: context.models.chat.name };
    return createRun(models, outcomes, ingestionMs / 1_000);
  });
  await reportRun(run, before);
}

async function reportRun(run: Run, before: Run | null): Promise<void> {
  const { embedding, chat } = run.models;
  process.stdout.write(`\n${embedding}, ${chat}\n\n${formatMetrics(run)}\n`);
  if (before) process.stdout.write(`\n${formatComparison(compareRuns(before, run))}\n`);
  if (values.out === undefined) return;
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, 'run.json'), `${JSON.stringify(run, null, 1)}\n`);
  const error = run.all.calibrationError;
  const title = `Expected calibration error ${error?.toFixed(3) ?? 'not measured'}`;
  await writeFile(join(values.out, 'reliability.svg'), reliabilityDiagram(run.reliability, title));
  logProgress(`Written to ${values.out}`);
}

/** Reads a run that this program saved. */
async function readRun(file: string): Promise<Run> {
  return JSON.parse(await readFile(file, 'utf8'));
}
