import { expect, test } from 'vitest';
import { createRunResult } from '../../../src/cli/evaluation/run-result.ts';
import type { EvaluationResultRecord } from '../../../src/rest/evaluation/evaluation-run-record.ts';
import {
  evaluationResult,
  evaluationRun,
  refusedResult,
} from '../../support/evaluation/evaluation-records.ts';

test('without bounds, each figure is printed with its number of questions', () => {
  const { text, isFailure } = createRunResult(runWith({ recallAt1: 0.875 }, 8), [], []);
  expect(isFailure).toBe(false);
  expect(text).toContain('recallAt1           0.8750      8 questions\n');
  expect(text).toContain('auroc               -           0 questions\n');
});

test('questions that a figure outside its bound counts are listed with their problems', () => {
  const results = [
    evaluationResult(),
    evaluationResult({
      ...{ question: 'Two texts?', expected: ['noon', ['midnight', 'late']] },
      ...{ containsExpected: false, rank: null, firstCitationRight: false, documentName: 'b.md' },
    }),
    refusedResult({ question: 'Refused?' }),
    refusedResult({ question: 'Deleted?', isDocumentMissing: true, firstCitationRight: null }),
    evaluationResult({ question: 'Answered?', mustRefuse: true }),
    refusedResult({ question: 'Rightly refused?', mustRefuse: true }),
    evaluationResult({ question: 'Failed?', answer: null, error: 'The answer took too long' }),
  ];
  expect(failedLines(results)).toEqual([
    '5 of 7 questions failed:',
    '- Two texts?: the search does not find the document b.md; the first citation is of rules.md, not of the document b.md; the answer does not contain "midnight" or "late"',
    '- Refused?: refused, but the documents answer it',
    '- Deleted?: the document rules.md does not exist, or is left out; refused, but the documents answer it',
    '- Answered?: answered, but it must be refused',
    '- Failed?: no answer: The answer took too long',
  ]);
});

test('a lower rank is a problem only if a bound asks for a higher one', () => {
  const results = [evaluationResult({ rank: 3 })];
  expect(failedLines(results, 'recallAt1')).toContain(
    '- When does the sauna open?: the document rules.md has rank 3',
  );
  expect(failedLines(results, 'recallAt5')).toEqual([]);
});

test('a question without an answer is a failure if there are bounds', () => {
  const results = [evaluationResult({ answer: null, refused: null, error: 'Too slow' })];
  const run = runWith({ mrr: 1 }, 1);
  const { isFailure, text } = createRunResult(run, results, [{ figure: 'mrr', bound: 1 }]);
  expect(isFailure).toBe(true);
  expect(text).toContain('1 question without an answer.');
  expect(createRunResult(run, results, []).isFailure).toBe(false);
});

test.each([
  ['FAILED' as const, 'The model server cannot be reached', ': The model server cannot be reached'],
  ['CANCELLED' as const, null, '.'],
])('a run that is %s is a failure, with its error', (status, error, end) => {
  const run = evaluationRun({ status, error, figures: null, progress: { done: 2, total: 5 } });
  const { text, json, isFailure } = createRunResult(run, [], []);
  expect(text).toBe(`Run run is ${status} after 2 of 5 questions${end}`);
  expect(json).toMatchObject({ id: 'run', status, error });
  expect(isFailure).toBe(true);
});

test('the JSON is the run, its bounds and the questions that failed', () => {
  const results = [refusedResult()];
  const run = runWith({ refusedWrongly: 1 }, 1);
  const bounds = [{ figure: 'refusedWrongly', bound: 0.1 }] as const;
  expect(createRunResult(run, results, bounds).json).toEqual({
    ...run,
    bounds: [{ figure: 'refusedWrongly', bound: 0.1, value: 1, isMet: false }],
    failedQuestions: [
      {
        ...{ questionId: 'question', question: 'When does the sauna open?' },
        ...{ problems: expect.any(Array), answer: 'I do not know.' },
      },
    ],
  });
});

function runWith(values: Readonly<Record<string, number>>, count: number) {
  const run = evaluationRun();
  if (run.figures === null) throw new Error('The run has no figures.');
  const n = { ...run.figures.n, ...Object.fromEntries(Object.keys(values).map((k) => [k, count])) };
  return evaluationRun({ figures: { ...run.figures, ...values, n } });
}

/** Returns the list of failed questions of a run whose figure is outside its bound. */
function failedLines(
  results: readonly EvaluationResultRecord[],
  figure: 'mrr' | 'recallAt1' | 'recallAt5' | 'containsExpected' = 'containsExpected',
): string[] {
  const run = runWith({ [figure]: 0.5 }, results.length);
  const { text, isFailure } = createRunResult(run, results, [{ figure, bound: 0.99 }]);
  expect(isFailure).toBe(true);
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.endsWith(' failed:'));
  return start < 0 ? [] : lines.slice(start);
}
