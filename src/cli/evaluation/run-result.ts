import type { Bound } from '../../domain/evaluation/figure-bounds.ts';
import { type FigureName, figureNames } from '../../domain/evaluation/figures.ts';
import type {
  EvaluationResultRecord,
  EvaluationRunRecord,
} from '../../rest/evaluation/evaluation-run-record.ts';
import type { EvaluationFiguresRecord } from '../../rest/evaluation/figures-record.ts';
import { counted } from '../../text/counted.ts';
import type { CommandResult } from '../command.ts';
import { type FailedQuestion, findFailedQuestions, requiredRank } from './failed-questions.ts';
import { checkBounds, describeMissedBound } from './figure-bounds.ts';

/** Failed questions that are printed without `--json`. */
const maxPrinted = 100;

/**
 * Returns the result of `evaluate`. It is a failure if the run is not done, a figure is outside its bound, or there are
 * bounds and a question has no answer.
 */
export function createRunResult(
  run: EvaluationRunRecord,
  results: readonly EvaluationResultRecord[],
  bounds: readonly Bound[],
): CommandResult {
  const { status, figures, error } = run;
  if (status !== 'DONE' || figures === null) {
    const { done, total } = run.progress;
    const text = `Run ${run.id} is ${status} after ${done} of ${total} questions${error === null ? '.' : `: ${error}`}`;
    return { text, json: { ...run, bounds: [], failedQuestions: [] }, isFailure: true };
  }
  const checked = checkBounds(bounds, figures);
  const missed = checked.filter(({ isMet }) => !isMet);
  const unanswered = results.filter((result) => result.error !== null).length;
  const isFailure = missed.length > 0 || (bounds.length > 0 && unanswered > 0);
  const rankLimit = requiredRank(missed.map(({ figure }) => figure));
  const failed = isFailure ? findFailedQuestions(results, rankLimit) : [];
  const lines = [
    ...figureNames.map((name) => describeFigure(name, figures)),
    ...(isFailure ? ['', ...missed.map(describeMissedBound)] : []),
    ...(isFailure && unanswered > 0
      ? [`${counted(unanswered, 'question')} without an answer.`]
      : []),
    ...describeMissing(results.filter(({ isDocumentMissing }) => isDocumentMissing).length),
    ...describeFailed(failed, results.length),
  ];
  return {
    text: lines.join('\n'),
    json: { ...run, bounds: checked, failedQuestions: failed.map(toJson) },
    isFailure,
  };
}

function describeFigure(name: FigureName, figures: EvaluationFiguresRecord): string {
  const questions = counted(figures.n[name], 'question');
  return `${name.padEnd(20)}${formatFigure(name, figures[name]).padEnd(12)}${questions}`;
}

function formatFigure(name: FigureName, value: number | null): string {
  if (value === null) return '-';
  if (name === 'tokens') return String(value);
  return name === 'latencyP50Ms' || name === 'latencyP95Ms' ? `${value} ms` : value.toFixed(4);
}

function describeMissing(count: number): string[] {
  if (count === 0) return [];
  const questions = counted(count, 'question');
  return [
    '',
    `${questions} not counted in recall and citations: the expected document does not exist, or is left out.`,
  ];
}

function describeFailed(failed: readonly FailedQuestion[], total: number): string[] {
  if (failed.length === 0) return [];
  const printed = failed.slice(0, maxPrinted);
  const left = failed.length - printed.length;
  return [
    '',
    `${failed.length} of ${counted(total, 'question')} failed:`,
    ...printed.map(({ result, problems }) => `- ${result.question}: ${problems.join('; ')}`),
    ...(left > 0 ? [`… and ${left} more: see --json or --junit`] : []),
  ];
}

function toJson({ result, problems }: FailedQuestion): object {
  const { questionId, question, answer } = result;
  return { questionId, question, problems, answer };
}
