import { formatCount, formatCountOf } from '../../format/format-numbers.ts';
import type { SourceRun } from './source-operations.ts';

type RunCounts = Pick<
  SourceRun,
  'finishedAt' | 'fetched' | 'added' | 'changed' | 'removed' | 'unchanged' | 'refused'
>;

/** Returns the progress of a run or, after the run, its result: "4 added, 1 removed, 12 unchanged". */
export function describeRun(run: RunCounts): string {
  const counts = (['added', 'changed', 'removed', 'unchanged', 'refused'] as const)
    .filter((name) => run[name] > 0)
    .map((name) => `${formatCount(run[name])} ${name}`);
  const result = counts.length === 0 ? 'No pages' : counts.join(', ');
  if (run.finishedAt !== null) return result;
  const pages = `${formatCountOf(run.fetched, 'page')} read`;
  return counts.length === 0 ? `${pages} so far` : `${pages} so far: ${counts.join(', ')}`;
}
