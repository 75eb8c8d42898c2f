import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import {
  type EvaluationResult,
  type EvaluationRun,
  getEvaluation,
  type RunTarget,
} from './evaluation-runs.ts';
import { type FigureName, lowerIsBetter } from './figures.ts';
import { pairedBootstrap } from './statistics.ts';

/** Verdict about a figure. NO_DIFFERENCE: the questions cannot show one. */
export type Verdict = 'BETTER' | 'WORSE' | 'NO_DIFFERENCE';

/** A figure of two runs, over the questions that both have answered and that ask for it. */
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

/** A question whose judgement differs between two runs. */
export interface ChangedQuestion {
  readonly questionId: string;
  readonly question: string;
  /** Whether the later run answered it better. Null if it is better in one respect and worse in another. */
  readonly isBetter: boolean | null;
  readonly before: EvaluationResult;
  readonly after: EvaluationResult;
}

export interface RunComparison {
  readonly before: EvaluationRun;
  readonly after: EvaluationRun;
  readonly figures: readonly FigureComparison[];
  /** At most 200, in the order of the set. */
  readonly changed: readonly ChangedQuestion[];
  readonly changedCount: number;
}

const maxChanged = 200;

/** The value of a question, of which the mean over the questions is compared. Null: it is not asked for. */
const measures: { readonly [Name in FigureName]?: (row: Judged) => number | null } = {
  recallAt1: (row) => ranked(row, (rank) => Number(rank === 1)),
  recallAt5: (row) => ranked(row, (rank) => Number(rank !== null && rank <= 5)),
  mrr: (row) => ranked(row, (rank) => (rank === null ? 0 : 1 / rank)),
  firstCitationRight: ({ firstCitationRight: is }) => (is === null ? null : Number(is)),
  containsExpected: ({ containsExpected: is }) => (is === null ? null : Number(is)),
  refusedRight: ({ mustRefuse, refused }) => (mustRefuse ? Number(refused) : null),
  refusedWrongly: ({ mustRefuse, refused }) => (mustRefuse ? null : Number(refused)),
  modelRight: ({ modelVerdict: is }) => (is === null ? null : Number(is === 'RIGHT')),
  latencyP50Ms: ({ latencyMs }) => latencyMs,
  tokens: ({ inputTokens, outputTokens, embeddingTokens }) =>
    inputTokens + outputTokens + embeddingTokens,
};

/** The first citation is judged for exactly those questions whose document is searched for. */
function ranked(
  { rank, firstCitationRight }: Judged,
  value: (rank: number | null) => number,
): number | null {
  return firstCitationRight === null ? null : value(rank);
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
  const [left, right] = await Promise.all([
    readResults(context, before),
    readResults(context, after),
  ]);
  const earlier = new Map(left.map((row) => [keyOf(row), row]));
  const pairs = right.flatMap((row) => {
    const other = earlier.get(keyOf(row));
    return other === undefined ? [] : [{ before: other, after: row }];
  });
  const changes = pairs.flatMap(changeOf);
  const figures: FigureComparison[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    figures.push(...compareFigure(name as FigureName, measure, pairs));
    // The bootstrap of 10,000 questions takes 0.2 s. Other requests are served in between.
    await nextTurn();
  }
  return {
    before,
    after,
    figures,
    changed: await withAnswers(context, { before, after }, changes.slice(0, maxChanged)),
    changedCount: changes.length,
  };
}

/** A result without its texts. */
type Judged = Omit<EvaluationResult, 'answer' | 'citations'>;

/** Reads the answers of the changed questions. */
async function withAnswers(
  { db }: Context,
  runs: { readonly before: EvaluationRun; readonly after: EvaluationRun },
  changes: readonly Change[],
): Promise<ChangedQuestion[]> {
  const read = async ({ id: runId, projectId }: EvaluationRun, positions: readonly number[]) => {
    const where = { runId, projectId, position: { in: [...positions] } };
    const rows = await db.evaluationResult.findMany({ where });
    return new Map(rows.map((row) => [row.position, row]));
  };
  const [left, right] = await Promise.all([
    read(
      runs.before,
      changes.map(({ before }) => before),
    ),
    read(
      runs.after,
      changes.map(({ after }) => after),
    ),
  ]);
  return changes.flatMap((change) => {
    const [before, after] = [left.get(change.before), right.get(change.after)];
    if (before === undefined || after === undefined) return [];
    const { questionId, question } = after;
    return [{ questionId, question, isBetter: change.isBetter, before, after }];
  });
}

/** A question whose judgement differs, by its position in each run. */
interface Change {
  readonly isBetter: boolean | null;
  readonly before: number;
  readonly after: number;
}

interface Pair {
  readonly before: Judged;
  readonly after: Judged;
}

/** Questions of different sets, or of an import that was repeated, are the same if their texts are. */
function keyOf({ question }: Judged): string {
  return question;
}

function readResults({ db }: Context, { id, projectId }: EvaluationRun): Promise<Judged[]> {
  return db.evaluationResult.findMany({
    where: { runId: id, projectId, askedAt: { not: null }, error: null },
    omit: { answer: true, citations: true },
    orderBy: { position: 'asc' },
  });
}

function compareFigure(
  figure: FigureName,
  measure: (row: Judged) => number | null,
  pairs: readonly Pair[],
): FigureComparison[] {
  const values = pairs.flatMap(({ before, after }) => {
    const [left, right] = [measure(before), measure(after)];
    return left === null || right === null ? [] : [{ left, right }];
  });
  const difference = pairedBootstrap(values.map(({ left, right }) => right - left));
  if (difference === null) return [];
  const { low, high } = difference;
  const n = values.length;
  const before = values.reduce((sum, { left }) => sum + left, 0) / n;
  const after = values.reduce((sum, { right }) => sum + right, 0) / n;
  return [{ figure, n, before, after, low, high, verdict: verdictOf(figure, low, high) }];
}

function verdictOf(figure: FigureName, low: number, high: number): Verdict {
  if (low <= 0 && high >= 0) return 'NO_DIFFERENCE';
  return low > 0 === lowerIsBetter.has(figure) ? 'WORSE' : 'BETTER';
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
