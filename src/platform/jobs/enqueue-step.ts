import type { Db } from 'pg-boss';

/** A job that is enqueued by the same statement that stores other rows. */
export interface EnqueueStep {
  /** The job in the queue's JSON format: a list with one entry, whose `priority` a statement may change. */
  readonly jobs: string;
  /**
   * Returns a statement that runs `steps`, common table expressions, and enqueues the jobs of `jobsSql`. This is an
   * expression for JSON like `jobs`, or null to enqueue nothing. The statement returns one row per job, with the values
   * of `columns`: SQL expressions by name.
   */
  build(steps: string, jobsSql: string, columns?: Readonly<Record<string, string>>): string;
}

/** Creates the step from the statement that the queue (pg-boss) would send to the database of `send`. */
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
