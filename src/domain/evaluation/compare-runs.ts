import { DomainError } from '../../platform/errors.ts';
import { createFairSlots } from '../../platform/fair-slots.ts';
import { createWorkTurns, runInTurns, type Steps } from '../../platform/work-turns.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type EvaluationRun, getEvaluation, type RunTarget } from './evaluation-runs.ts';
import { type FigureName, lowerIsBetter } from './figures.ts';
import type { RunResult } from './judged-results.ts';
import { type Pair, pairResults } from './pair-results.ts';
import { type Change, type ChangedQuestion, readChangedAnswers } from './read-changed-answers.ts';
import { type Difference, pairedBootstrapSteps, signTest } from './statistics.ts';

/** Verdict about a figure. NO_DIFFERENCE: the questions cannot show one. TOO_FEW: fewer than ten were compared. */
export type Verdict = 'BETTER' | 'WORSE' | 'NO_DIFFERENCE' | 'TOO_FEW';

/** A figure of two runs. Counts the questions that both runs answered and to which the figure applies. */
export interface FigureComparison {
  readonly figure: FigureName;
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** 95 % interval of the mean difference, from a paired bootstrap. */
  readonly low: number;
  readonly high: number;
  readonly verdict: Verdict;
}

export interface RunComparison {
  readonly before: EvaluationRun;
  readonly after: EvaluationRun;
  readonly figures: readonly FigureComparison[];
  /** At most 200 with 1 MB of texts, in the order of the set. */
  readonly changed: readonly ChangedQuestion[];
  readonly changedCount: number;
}

const maxChanged = 200;

/**
 * Values of one question. Null if the figure does not apply to it. Runs are compared by the mean over the questions.
 */
const measures: { readonly [Name in FigureName]?: (row: RunResult) => number | null } = {
  recallAt1: (row) => ranked(row, (rank) => Number(rank === 1)),
  recallAt5: (row) => ranked(row, (rank) => Number(rank !== null && rank <= 5)),
  mrr: (row) => ranked(row, (rank) => (rank === null ? 0 : 1 / rank)),
  firstCitationRight: ({ firstCitationRight: is }) => (is === null ? null : Number(is)),
  containsExpected: ({ containsExpected: is }) => (is === null ? null : Number(is)),
  refusedRight: ({ mustRefuse, refused }) => (mustRefuse ? Number(refused) : null),
  refusedWrongly: ({ mustRefuse, refused }) => (mustRefuse ? null : Number(refused)),
  modelRight: ({ modelVerdict: is }) => (is === null ? null : Number(is === 'RIGHT')),
  latencyP50Ms: ({ latencyMs }) => latencyMs,
  tokens: ({ tokens }) => tokens,
};

function ranked(
  { rank, isDocumentJudged }: RunResult,
  value: (rank: number | null) => number,
): number | null {
  return isDocumentJudged ? value(rank) : null;
}

/** Judgements that make a question better or worse. */
const judged = [
  'recallAt1',
  'firstCitationRight',
  'containsExpected',
  'refusedRight',
  'refusedWrongly',
  'modelRight',
] as const;

/**
 * Two comparisons at a time, one of an organization: each needs up to a second of processor time and 20 MB for the
 * largest runs.
 */
const comparisons = createFairSlots(2);

/**
 * Compares two runs of a project question by question. Latency is compared by its mean.
 * @throws DomainError NOT_FOUND when a run is unknown
 * @throws DomainError CONFLICT when a run is not done
 */
export async function compareEvaluations(
  context: Context,
  { id, otherId, projectId }: RunTarget & { readonly otherId: string },
): Promise<RunComparison> {
  const before = await getEvaluation(context, { id, projectId: projectId ?? null });
  const after = await getEvaluation(context, { id: otherId, projectId: before.projectId });
  for (const { status } of [before, after]) {
    if (status !== 'DONE') throw new DomainError('CONFLICT', 'Both runs must be DONE');
  }
  const { organizationId } = await requireProject(context, before.projectId, 'evaluation:read');
  using _slot = await comparisons.acquire(organizationId, context.signal);
  const pairs = await pairResults(context, { before, after });
  const turns = createWorkTurns(context.signal);
  const changes = await runInTurns(findChanges(pairs), turns);
  const figures = await runInTurns(compareFigures(pairs), turns);
  const shown = changes.slice(0, maxChanged);
  const changed = await readChangedAnswers(context, { before, after }, shown);
  return { before, after, figures, changed, changedCount: changes.length };
}

function* findChanges(pairs: readonly Pair[]): Steps<Change[]> {
  const changes: Change[] = [];
  for (const pair of pairs) {
    changes.push(...changeOf(pair));
    yield;
  }
  return changes;
}

function* compareFigures(pairs: readonly Pair[]): Steps<FigureComparison[]> {
  const figures: FigureComparison[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    const compared = yield* compareFigure(name as FigureName, measure, pairs);
    if (compared !== null) figures.push(compared);
  }
  return figures;
}

function* compareFigure(
  figure: FigureName,
  measure: (row: RunResult) => number | null,
  pairs: readonly Pair[],
): Steps<FigureComparison | null> {
  const values = pairs.flatMap(({ before, after }) => {
    const [left, right] = [measure(before), measure(after)];
    return left === null || right === null ? [] : [{ left, right }];
  });
  const difference = yield* pairedBootstrapSteps(values.map(({ left, right }) => right - left));
  if (difference === null) return null;
  const { low, high } = difference;
  const n = values.length;
  const before = values.reduce((sum, { left }) => sum + left, 0) / n;
  const after = values.reduce((sum, { right }) => sum + right, 0) / n;
  const verdict = verdictOf(figure, values, difference);
  return { figure, n, before, after, low, high, verdict };
}

interface ValuePair {
  readonly left: number;
  readonly right: number;
}

/** Minimum number of compared questions for a verdict. */
const minCompared = 10;

function verdictOf(
  figure: FigureName,
  values: readonly ValuePair[],
  difference: Difference,
): Verdict {
  if (values.length < minCompared) return 'TOO_FEW';
  const isShown = values.every(isShare)
    ? isShareDifferent(values)
    : isMeanDifferent(values, difference);
  if (!isShown) return 'NO_DIFFERENCE';
  return difference.mean > 0 === lowerIsBetter.has(figure) ? 'WORSE' : 'BETTER';
}

/** Whether the values are those of a figure that is a share: each question counts as 0 or 1. */
function isShare({ left, right }: ValuePair): boolean {
  return (left === 0 || left === 1) && (right === 0 || right === 1);
}

function isShareDifferent(values: readonly ValuePair[]): boolean {
  const risen = values.filter(({ left, right }) => right > left).length;
  const fallen = values.filter(({ left, right }) => right < left).length;
  return signTest(risen, fallen) < 0.05;
}

/** Minimum number of changed values for the bootstrap. That of a single one has no width. */
const minChanged = 10;

function isMeanDifferent(values: readonly ValuePair[], { low, high }: Difference): boolean {
  const changed = values.filter(({ left, right }) => left !== right).length;
  return changed >= minChanged && (low > 0 || high < 0);
}

function changeOf({ before, after }: Pair): Change[] {
  const signs = judged.flatMap((name) => {
    const [left, right] = [measures[name]?.(before) ?? null, measures[name]?.(after) ?? null];
    if (left === null || right === null || left === right) return [];
    return [right > left !== lowerIsBetter.has(name)];
  });
  if (signs.length === 0) return [];
  const [first = null] = signs;
  const isBetter = signs.every((sign) => sign === first) ? first : null;
  return [{ isBetter, before: before.position, after: after.position }];
}
