import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import { type RunResult, readJudgedResults } from './judged-results.ts';

/** The results of two runs for the same question. */
export interface Pair {
  readonly before: RunResult;
  readonly after: RunResult;
}

/**
 * Returns the questions that both runs have answered, in the order of the later run. Questions of different sets, or of
 * an import that was repeated, are the same if their texts are.
 */
export async function pairResults(
  context: Context,
  runs: { readonly before: EvaluationRun; readonly after: EvaluationRun },
): Promise<Pair[]> {
  const left = await readJudgedResults(context, runs.before);
  const right = await readJudgedResults(context, runs.after);
  const known = new Set(left.map(({ questionRow }) => questionRow));
  const isSame = right.every(({ questionRow }) => known.has(questionRow));
  const keys = isSame
    ? null
    : await readTextKeys(context, runs.after.projectId, [...left, ...right]);
  const keyOf = ({ questionRow }: RunResult) => keys?.get(questionRow) ?? questionRow;
  const earlier = new Map(left.map((row) => [keyOf(row), row]));
  return right.flatMap((after) => {
    const before = earlier.get(keyOf(after));
    return before === undefined ? [] : [{ before, after }];
  });
}

const batchSize = 2_000;

/** Returns a key for the text of each question. Equal texts have equal keys. */
async function readTextKeys(
  { pool, signal }: Context,
  projectId: string,
  results: readonly RunResult[],
): Promise<ReadonlyMap<string, string>> {
  const rows = [...new Set(results.map(({ questionRow }) => questionRow))];
  const keys = new Map<string, string>();
  for (let from = 0; from < rows.length; from += batchSize) {
    signal.throwIfAborted();
    const values = [projectId, rows.slice(from, from + batchSize)];
    for (const { row, key } of await runSql<{ row: string; key: string }>(pool, keysSql, values)) {
      keys.set(row, key);
    }
  }
  return keys;
}

/** Parameters: $1 project, $2 rows of questions. A hash, because 10,000 questions may have 160 MB. */
const keysSql = `
  select row_id as row, encode(sha256(convert_to(question, 'UTF8')), 'base64') as key
  from grounded.set_questions where project_id = $1::uuid and row_id = any ($2::uuid[])`;
