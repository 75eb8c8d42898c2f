import {
  type Bin,
  type Difference,
  pairedBootstrap,
} from '../../src/domain/evaluation/statistics.ts';
import type { QuestionResult } from './evaluate-question.ts';
import {
  computeMetrics,
  type Metrics,
  macroAverage,
  reciprocalRank,
  reliabilityBinsOf,
} from './metrics.ts';

/** Results of a run, as saved in a file. */
export interface Run {
  readonly models: { readonly embedding: string; readonly chat: string };
  readonly sets: Readonly<Record<string, Metrics>>;
  /** Metrics of the questions that have the same language as their document. */
  readonly sameLanguage: Metrics | null;
  readonly all: Metrics;
  readonly macro: Metrics;
  readonly reliability: readonly Bin[];
  readonly ingestionSeconds: number;
  readonly outcomes: readonly QuestionResult[];
}

export function createRun(
  models: Run['models'],
  outcomes: readonly QuestionResult[],
  ingestionSeconds: number,
): Run {
  const names = [...new Set(outcomes.map(({ set }) => set))];
  const sets = Object.fromEntries(
    names.map((name) => [name, computeMetrics(outcomes.filter(({ set }) => set === name))]),
  );
  const same = outcomes.filter(({ lang }) => !lang.includes('->'));
  return {
    models,
    sets,
    sameLanguage: same.length === 0 ? null : computeMetrics(same),
    all: computeMetrics(outcomes),
    macro: macroAverage(Object.values(sets)),
    reliability: reliabilityBinsOf(outcomes),
    ingestionSeconds,
    outcomes,
  };
}

const columns: readonly (readonly [title: string, key: keyof Metrics, digits: number])[] = [
  ['n', 'questions', 0],
  ['R@1', 'recallAt1', 3],
  ['R@5', 'recallAt5', 3],
  ['MRR', 'mrrAt10', 3],
  ['span@5', 'spanAt5', 3],
  ['contain', 'containment', 3],
  ['words', 'wordsMedian', 0],
  ['cite1st', 'firstCitation', 3],
  ['citePrec', 'citationPrecision', 3],
  ['cites', 'citationsMean', 1],
  ['AUROC', 'auroc', 3],
  ['ECE', 'calibrationError', 3],
  ['abst(un)', 'abstainedUnanswerable', 3],
  ['abst(an)', 'abstainedAnswerable', 3],
  ['search ms', 'searchMsMedian', 0],
  ['chat ms', 'chatMsMedian', 0],
  ['p95', 'chatMs95', 0],
];

/**
 * Formats a table with one row per set, and rows for all questions, same-language questions and the mean of the sets.
 */
export function formatMetrics(run: Run): string {
  const rows: [string, Metrics][] = [...Object.entries(run.sets), ['all', run.all]];
  if (run.sameLanguage) rows.push(['same language', run.sameLanguage]);
  rows.push(['mean of sets', run.macro]);
  return formatTable([
    ['set', ...columns.map(([title]) => title)],
    ...rows.map(([name, measures]) => [
      name,
      ...columns.map(([, key, digits]) => measures[key]?.toFixed(digits) ?? ''),
    ]),
  ]);
}

export interface EvalRunComparison {
  readonly measure: string;
  readonly questions: number;
  readonly difference: Difference;
}

const comparedMetrics: Readonly<Record<string, (one: QuestionResult) => number | null>> = {
  'R@1': (one) => (one.isAnswerable && one.searchMs !== null ? Number(one.rank === 1) : null),
  MRR: (one) => (one.isAnswerable && one.searchMs !== null ? reciprocalRank(one) : null),
  containment: (one) => (one.isContained === null ? null : Number(one.isContained)),
  'first citation': (one) => (one.isAnswerable ? Number(one.isFirstRight) : null),
  'abstained, unanswerable': (one) => (one.isAnswerable ? null : Number(one.hasAbstained)),
  'abstained, answerable': (one) => (one.isAnswerable ? Number(one.hasAbstained) : null),
  'Brier score': (one) => (one.confidence - Number(one.isAnswerable)) ** 2,
};

/** Compares two runs question by question. Ignores questions that only one of the runs contains. */
export function compareRuns(before: Run, after: Run): EvalRunComparison[] {
  const earlier = new Map(before.outcomes.map((one) => [`${one.set}\n${one.id}`, one]));
  const pairs = after.outcomes.flatMap((one) => {
    const other = earlier.get(`${one.set}\n${one.id}`);
    return other ? [{ before: other, after: one }] : [];
  });
  return Object.entries(comparedMetrics).flatMap(([name, read]) => {
    const differences = pairs.flatMap(({ before, after }) => {
      const [left, right] = [read(before), read(after)];
      return left === null || right === null ? [] : [right - left];
    });
    const difference = pairedBootstrap(differences);
    return difference ? [{ measure: name, questions: differences.length, difference }] : [];
  });
}

export function formatComparison(comparisons: readonly EvalRunComparison[]): string {
  return formatTable([
    ['compared with before', 'n', 'change', '95 in 100 within', 'p'],
    ...comparisons.map(({ measure, questions, difference: { mean, low, high, p } }) => [
      measure,
      String(questions),
      formatSigned(mean),
      `${formatSigned(low)} … ${formatSigned(high)}`,
      p < 0.001 ? '<0.001' : p.toFixed(3),
    ]),
  ]);
}

function formatSigned(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
