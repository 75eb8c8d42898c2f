import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { DocumentOutcome } from '../knowledge/written-document.ts';

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
  /** The first names of documents of each kind of change. */
  readonly changes: RunChanges;
}

/** Kinds of changes. Each is also the name of a counter. */
export const changeKinds = ['added', 'changed', 'removed'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** Names of documents, in the order in which they were changed. */
export type RunChanges = Record<ChangeKind, string[]>;

/** For each result of a write, the name of its counter. */
const outcomeCounters = {
  CREATED: 'added',
  REPLACED: 'changed',
  UNCHANGED: 'unchanged',
} as const;

const maxNames = 50;

/** Counts a document that was written, and stores its name if it is new or changed. */
export function countWritten(report: RunReport, outcome: DocumentOutcome, name: string): void {
  const counter = outcomeCounters[outcome];
  if (counter === 'unchanged') report.unchanged += 1;
  else countChange(report, counter, name);
}

/** Counts a change of a document, and stores its name. */
export function countChange(report: RunReport, kind: ChangeKind, name: string): void {
  report[kind] += 1;
  if (report.changes[kind].length < maxNames) report.changes[kind].push(name);
}

/** Returns a copy of stored changes. Runs of older versions have none. */
export function storedChanges(stored: unknown): RunChanges {
  const { added = [], changed = [], removed = [] } = stored as Partial<RunChanges>;
  return { added: [...added], changed: [...changed], removed: [...removed] };
}

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
       held_removals = $10, warnings = $11::jsonb, changes = $12::jsonb
     where id = $1::uuid and attempt = $2 and finished_at is null
     returning id`,
    [
      ...[run.id, run.attempt, fetched, added, changed, removed, unchanged, refused],
      ...[JSON.stringify(report.refusals), heldRemovals, JSON.stringify(report.warnings)],
      JSON.stringify(report.changes),
    ],
  );
  if (rows.length === 0) throw new RunLost();
}
