import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/** A page that did not become a document, and the reason. */
export type Refusal = { readonly url: string; readonly reason: string };

/** A page that was only partly read, or a place that was not read, and the reason. */
export type RunWarning = Refusal;

/** Progress of a run. */
export interface RunReport {
  fetched: number;
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  refused: number;
  /** Number of documents that are no longer in the source. They are kept until an operator confirms their deletion. */
  heldRemovals: number;
  /** The first refusals. */
  readonly refusals: Refusal[];
  /** The first warnings. */
  readonly warnings: RunWarning[];
}

/** For each result of a write, the name of its counter. */
export const outcomeCounters = {
  CREATED: 'added',
  REPLACED: 'changed',
  UNCHANGED: 'unchanged',
} as const;

const maxRefusals = 200;
const maxReasonLength = 300;

/** Counts a page that did not become a document, and stores the reason. */
export function addRefusal(report: RunReport, url: string, reason: string): void {
  report.refused += 1;
  if (report.refusals.length < maxRefusals) {
    report.refusals.push({ url, reason: reason.slice(0, maxReasonLength) });
  }
}

/** Stores what the run has omitted although the run has not failed. */
export function addWarning(report: RunReport, url: string, reason: string): void {
  if (report.warnings.length >= maxRefusals) return;
  report.warnings.push({ url, reason: reason.slice(0, maxReasonLength) });
}

/**
 * Reports that this process must stop working on the run: another process has taken it over, it has finished, or its
 * source was deleted.
 */
export class RunLost extends Error {
  constructor() {
    super('The run belongs to another process, or its source was deleted');
  }
}

/** A run, and the attempt of the process that works on it. */
export interface ClaimedRun {
  readonly id: string;
  readonly attempt: number;
}

/**
 * Stores the report, if this process still owns the run.
 * @throws RunLost when this process must no longer work on the run.
 */
export async function storeReport(
  { pool }: Pick<Context, 'pool'>,
  run: ClaimedRun,
  report: RunReport,
): Promise<void> {
  const { fetched, added, changed, removed, unchanged, refused, heldRemovals } = report;
  const rows = await runSql(
    pool,
    `update grounded.source_runs
     set fetched = $3, added = $4, changed = $5, removed = $6, unchanged = $7, refused = $8, refusals = $9::jsonb,
       held_removals = $10, warnings = $11::jsonb
     where id = $1::uuid and attempt = $2 and finished_at is null
     returning id`,
    [
      ...[run.id, run.attempt, fetched, added, changed, removed, unchanged, refused],
      ...[JSON.stringify(report.refusals), heldRemovals, JSON.stringify(report.warnings)],
    ],
  );
  if (rows.length === 0) throw new RunLost();
}
