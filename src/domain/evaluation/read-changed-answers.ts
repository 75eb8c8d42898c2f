import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { type EvaluationResult, withQuestion } from './evaluation-results.ts';
import type { EvaluationRun } from './evaluation-runs.ts';

/** Positions of a question in two runs that judged its answers differently. */
export interface Change {
  /** Whether the later run answered it better. Null if it is better in one respect and worse in another. */
  readonly isBetter: boolean | null;
  readonly before: number;
  readonly after: number;
}

/** A question whose judgement differs between two runs. */
export interface ChangedQuestion extends Pick<Change, 'isBetter'> {
  readonly questionId: string;
  readonly question: string;
  readonly before: EvaluationResult;
  readonly after: EvaluationResult;
}

interface Runs {
  readonly before: EvaluationRun;
  readonly after: EvaluationRun;
}

/** Maximum size of the texts of all changed questions together. A response has at most 8 MB. */
const maxBytes = 1_000_000;

/** Reads both answers of the changed questions, as long as their texts have at most 1 MB. */
export async function readChangedAnswers(
  context: Context,
  runs: Runs,
  changes: readonly Change[],
): Promise<ChangedQuestion[]> {
  const shown = await firstThatFit(context, runs, changes);
  const left = await readResults(
    context,
    runs.before,
    shown.map(({ before }) => before),
  );
  const right = await readResults(
    context,
    runs.after,
    shown.map(({ after }) => after),
  );
  return shown.flatMap((change) => {
    const [before, after] = [left.get(change.before), right.get(change.after)];
    if (before === undefined || after === undefined) return [];
    const { questionId, asked } = after;
    return [{ questionId, question: asked.question, isBetter: change.isBetter, before, after }];
  });
}

async function readResults(
  { db }: Context,
  { id: runId, projectId }: EvaluationRun,
  positions: readonly number[],
): Promise<Map<number, EvaluationResult>> {
  const where = { runId, projectId, position: { in: [...positions] } };
  const rows = await db.evaluationResult.findMany({ ...withQuestion, where });
  return new Map(rows.map((row) => [row.position, row]));
}

async function firstThatFit(
  context: Context,
  { before, after }: Runs,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const left = await readSizes(
    context,
    before,
    changes.map(({ before }) => before),
  );
  const right = await readSizes(
    context,
    after,
    changes.map(({ after }) => after),
  );
  let bytes = 0;
  const end = changes.findIndex((change) => {
    bytes += (left.get(change.before) ?? 0) + (right.get(change.after) ?? 0);
    return bytes > maxBytes;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

async function readSizes(
  { pool }: Context,
  { id, projectId }: EvaluationRun,
  positions: readonly number[],
): Promise<Map<number, number>> {
  const rows = await runSql<{ position: number; bytes: number }>(pool, sizesSql, [
    ...[id, projectId, positions],
  ]);
  return new Map(rows.map(({ position, bytes }) => [position, bytes]));
}

/** Parameters: $1 run, $2 project, $3 positions. */
const sizesSql = `
  select result.position, result.stored_bytes + asked.stored_bytes as bytes
  from grounded.evaluation_results result
  join grounded.set_questions asked on asked.row_id = result.question_row
  where result.run_id = $1::uuid and result.project_id = $2::uuid and result.position = any ($3::int[])`;
