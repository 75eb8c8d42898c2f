import type { Db } from 'pg-boss';

/** A job that is enqueued by the same statement that stores other rows. */
export interface EnqueueStep {
  /** The job in the queue's JSON format: a list with one entry. A statement may change the `priority` of the entry. */
  readonly jobs: string;
  /**
   * Returns a statement that runs `steps` (common table expressions) and enqueues the jobs of `jobsSql`. `jobsSql` is
   * an SQL expression that returns JSON in the format of `jobs`, or null to enqueue nothing. The statement returns one
   * row per job. `columns` maps the names of the row's columns to SQL expressions.
   */
  build(steps: string, jobsSql: string, columns?: Readonly<Record<string, string>>): string;
}

/**
 * Creates the step from the statement that the queue (pg-boss) would run. `send` must enqueue the job on the given
 * database, which records the statement.
 */
export async function createEnqueueStep(send: (db: Db) => Promise<void>): Promise<EnqueueStep> {
  let text = '';
  let jobs = '';
  await send({
    async executeSql(sql, values = []) {
      text = sql;
      jobs = String(values[0]);
      return { rows: [{ id: '' }] };
    },
  });
  if (!firstStep.test(text) || !result.test(text) || text.split(jobsParameter).length !== 2) {
    throw new Error('The statement of pg-boss has changed');
  }
  return {
    jobs,
    build: (steps, jobsSql, columns = {}) =>
      text
        .replace(firstStep, () => `with ${steps}, `)
        .replace(result, () => `SELECT id${columnsSql(columns)} FROM ins `)
        .replace(jobsParameter, () => `(${jobsSql})::text::json`),
  };
}

function columnsSql(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `, ${sql} as "${name}"`)
    .join('');
}

const firstStep = /^\s*WITH /;
const result = /SELECT id FROM ins /;
const jobsParameter = '$1::text::json';
