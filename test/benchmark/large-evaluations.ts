/**
 * Measures what the largest question sets and runs cost other requests: the longest time for which the event loop is
 * blocked, and the memory above idle.
 *
 *   npm run benchmark large-evaluations -- [--questions 10000] [--characters 18000] [--comparisons 9]
 *
 * `--characters` is the length of the expected texts of a question. Uses the embedded database, in which no response may
 * have more than 256 MiB. The least is what counts on a busy machine: other processes lengthen the blocks.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { evaluateJob } from '../../src/domain/evaluation/evaluate-job-type.ts';
import { judgeAnswer } from '../../src/domain/evaluation/judge-answer.ts';
import { newId } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readFlags } from './flags.ts';

const flags = readFlags({ questions: 10_000, characters: 18_000, comparisons: 9 });
const insertBatch = 500;
const service = await startTestService();
try {
  const tenant = await service.createTenant();
  const headers = { Authorization: `Bearer ${await tenant.key()}` };
  const setId = await insertSet(tenant.projectId);
  const first = await insertRun(tenant.projectId, setId);
  await report('end of a run', () => finishRun(first));
  const second = await insertRun(tenant.projectId, setId);
  await report('end of another run', () => finishRun(second));
  const compare = () => get(`/evaluation/runs/${first}/compare/${second}`);
  await report('comparison', compare);
  await report(`${flags.comparisons} comparisons at once`, () =>
    Promise.all(Array.from({ length: flags.comparisons }, compare)),
  );
  await report('page of 100 results', () => get(`/evaluation/runs/${first}/results?limit=100`));
  await report('page of 100 questions', () => get(`/evaluation/sets/${setId}/questions?limit=100`));
  await report('judging one answer with 400 expected texts', async () => judgeLargest());

  async function get(path: string): Promise<void> {
    const response = await fetch(`${service.url}/api/v1${path}`, { headers });
    // A page of very long texts is refused: request a smaller one.
    if (response.status !== 200 && response.status !== 400) throw new Error(await response.text());
    await response.arrayBuffer();
  }
} finally {
  await service.stop();
}

async function insertSet(projectId: string): Promise<string> {
  const id = newId();
  const { ownerPool } = service;
  await ownerPool.query(
    `insert into grounded.question_sets (id, project_id, name, question_count) values ($1, $2, 'Large', $3)`,
    [id, projectId, flags.questions],
  );
  for (let from = 0; from < flags.questions; from += insertBatch) {
    await ownerPool.query(
      `insert into grounded.set_questions (id, set_id, project_id, position, question, expected)
       select gen_random_uuid(), $1, $2, n, 'Question ' || n || repeat(' why', 900),
         jsonb_build_array(jsonb_build_array(repeat('x', $4::int)))
       from generate_series($3::int + 1, least($3::int + ${insertBatch}, $5::int)) n`,
      [id, projectId, from, flags.characters, flags.questions],
    );
  }
  return id;
}

/** Inserts a run that has asked all questions and has not finished. */
async function insertRun(projectId: string, setId: string): Promise<string> {
  const id = newId();
  const { ownerPool } = service;
  await ownerPool.query(
    `insert into grounded.evaluation_runs (id, project_id, set_id, set_version, total, done, status, started_at)
     values ($1, $2, $3, 1, $4, $4, 'RUNNING', now())`,
    [id, projectId, setId, flags.questions],
  );
  await ownerPool.query(
    `insert into grounded.evaluation_results (run_id, position, project_id, question_id, question_row, must_refuse,
       answer, confidence, rank, first_citation_right, contains_expected, refused, latency_ms, input_tokens)
     select $1, position, project_id, id, row_id, position % 5 = 0, repeat('answer ', 300), random(),
       case when random() < .8 then 1 end, case when position % 5 > 0 then random() < .7 end, random() < .6,
       random() < .1, (random() * 1000)::int, 100
     from grounded.set_questions where set_id = $2`,
    [id, setId],
  );
  return id;
}

/** Lets a job find that all questions were asked. */
async function finishRun(id: string): Promise<void> {
  const { db, queue } = service.system;
  const run = await db.evaluationRun.findFirstOrThrow({ where: { id } });
  await queue.enqueue(db, evaluateJob, { projectId: run.projectId, runId: id });
  const isFinished = async () =>
    (await db.evaluationRun.count({ where: { id, status: 'DONE' } })) > 0;
  await waitUntil(isFinished, { timeoutMs: 120_000 });
}

function judgeLargest(): void {
  const expected = Array.from({ length: 20 }, (_, item) =>
    Array.from({ length: 20 }, (_, text) => `${'. '.repeat(24)}${item} ${text}`),
  );
  judgeAnswer(
    { expected, documentId: null, documentName: null, mustRefuse: false },
    { isDocumentMissing: false, hits: [] },
    { content: '. '.repeat(16_000), citations: [] },
  );
}

async function report(name: string, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  delay.enable();
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  await work();
  const used = process.cpuUsage(usedBefore);
  const ms = performance.now() - startedAt;
  // The block of the last turn is recorded afterwards.
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  clearInterval(sampler);
  process.stdout.write(
    `${name}: ${Math.round(ms)} ms, processor ${Math.round((used.user + used.system) / 1_000)} ms, ` +
      `longest block ${Math.round(delay.max / 1e6)} ms, RSS +${Math.round((peak - before) / 1e6)} MB\n`,
  );
}
