import { describe, expect, test } from 'vitest';
import { createAnswerMatcher } from '../../src/domain/evaluation/match-answer.ts';
import {
  auroc,
  calibrationError,
  pairedBootstrap,
  reliabilityBins,
} from '../../src/domain/evaluation/statistics.ts';
import type { QuestionResult } from './evaluate-question.ts';
import { isAbstention } from './is-abstention.ts';
import { fitLogisticRegression, predict } from './logistic-regression.ts';
import { computeMetrics, macroAverage } from './metrics.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { compareRuns, createRun, formatMetrics } from './report.ts';

describe('the answer matcher', () => {
  test.each([
    ['It costs 1 868 euros, “all in”.', '1868', true],
    ['the multi-\nlingual model', 'multilingual', true],
    ['في عام ٢٠٠٧', '2007', true],
    ['CO2 of 125 grams', '25', false],
    ['25 grams', '25', true],
    ['Nothing of the kind.', 'kinds', false],
  ])('%s contains %s: %s', (text, answer, isHeld) => {
    expect(createAnswerMatcher(text)([answer])).toBe(isHeld);
  });

  test('an answer without citations, or that says it does not know, is an abstention', () => {
    expect(isAbstention('The tower is 34 metres high. [1]', 1)).toBe(false);
    expect(isAbstention('Sorry.', 0)).toBe(true);
    expect(isAbstention("I don't know. The sources are about the ferry.", 3)).toBe(true);
  });
});

describe('the statistics', () => {
  test('AUROC counts correctly ordered pairs, with ties as half', () => {
    expect(auroc([0.9, 0.5], [0.5, 0.1])).toBeCloseTo(3.5 / 4);
    expect(auroc([1], [])).toBeNull();
  });

  test('calibration error is 0 if predictions match the observed rate, and the gap otherwise', () => {
    const of = (confidence: number, hits: number, all: number) =>
      Array.from({ length: all }, (_, index) => ({ confidence, isTrue: index < hits }));
    expect(calibrationError(reliabilityBins(of(0.75, 3, 4)))).toBeCloseTo(0);
    expect(calibrationError(reliabilityBins([...of(0.75, 3, 4), ...of(0.25, 4, 4)]))).toBeCloseTo(
      0.375,
    );
  });

  test('the bootstrap detects a real difference, with the same result each time', () => {
    const clear = pairedBootstrap([1, 1, 0, 1, 1, 1, 0, 1, 1, 1]);
    const chance = pairedBootstrap([1, -1, 0, 1, -1, 0, 1, -1, 0, 0]);
    expect(clear?.mean).toBeCloseTo(0.8);
    expect(clear?.low).toBeGreaterThan(0.4);
    expect(clear?.p).toBeLessThan(0.01);
    expect(chance?.p).toBeGreaterThan(0.5);
    expect(pairedBootstrap([1, 0, 1])).toEqual(pairedBootstrap([1, 0, 1]));
  });
});

describe('the fit of confidence', () => {
  const free = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const examples = Array.from({ length: 200 }, (_, index) => {
    const [strong, misleading] = [(index % 20) / 20, (index % 7) / 7];
    const isTrue = (index * 37) % 100 < 100 / (1 + Math.exp(2 - 5 * strong));
    return { features: [strong, misleading - 0.1 * strong], isTrue, weight: 1 };
  });

  test('predicts the observed rate, and more for stronger evidence', () => {
    const weights = fitLogisticRegression(examples, free);
    const expectedCount = examples.reduce(
      (sum, { features }) => sum + predict(weights, features),
      0,
    );
    expect(expectedCount).toBeCloseTo(examples.filter(({ isTrue }) => isTrue).length, 4);
    expect(predict(weights, [0.9, 0.5])).toBeGreaterThan(predict(weights, [0.1, 0.5]) + 0.3);
  });

  test('keeps a coefficient at its bound if it would fall below', () => {
    const turned = examples.map((one) => ({ ...one, isTrue: !one.isTrue }));
    expect(fitLogisticRegression(turned, free)[1]).toBeLessThan(0);
    expect(fitLogisticRegression(turned, [0, free[1] ?? 0])[1]).toBe(0);
    expect(fitLogisticRegression(examples, [9, free[1] ?? 0])[1]).toBe(9);
  });
});

describe('the metrics', () => {
  const outcomes = [
    outcome({ id: 'a', rank: 1, isContained: true, citations: 2, right: 2, isFirstRight: true }),
    outcome({ id: 'b', rank: 4, isContained: false, citations: 2, right: 1, confidence: 0.4 }),
    outcome({ id: 'c', isAnswerable: false, hasAbstained: true, confidence: 0.1 }),
    outcome({ id: 'd', isAnswerable: false, citations: 1, confidence: 0.6 }),
  ];

  test('are computed from the outcomes of the questions', () => {
    expect(computeMetrics(outcomes)).toMatchObject({
      questions: 4,
      recallAt1: 0.5,
      recallAt5: 1,
      mrrAt10: 0.625,
      containment: 0.5,
      firstCitation: 0.5,
      citationPrecision: 0.75,
      auroc: 0.75,
      abstainedUnanswerable: 0.5,
      abstainedAnswerable: 0,
    });
  });

  test('weigh each set equally in the macro mean', () => {
    const [one, two] = [computeMetrics(outcomes.slice(0, 1)), computeMetrics(outcomes.slice(0, 2))];
    expect(macroAverage([one, two])).toMatchObject({ questions: 3, recallAt1: 0.75, auroc: null });
  });

  test('compare two runs question by question', () => {
    const models = { embedding: 'one', chat: 'two' };
    const before = createRun(models, outcomes, 1);
    const after = createRun(
      models,
      outcomes.map((one) => ({ ...one, rank: one.isAnswerable ? 1 : null })),
      1,
    );
    const changes = compareRuns(before, after);
    expect(changes.find(({ measure }) => measure === 'R@1')).toMatchObject({
      questions: 2,
      difference: { mean: 0.5 },
    });
    expect(formatMetrics(after)).toMatch(/^harbour .* 1\.000/m);
    expect(reliabilityDiagram(after.reliability, 'A & B')).toContain('A &amp; B');
  });
});

function outcome(given: Partial<QuestionResult>): QuestionResult {
  return {
    set: 'harbour',
    id: 'a',
    lang: 'en',
    isAnswerable: true,
    rank: null,
    spanRank: null,
    isContained: null,
    words: 20,
    citations: 0,
    right: 0,
    isFirstRight: false,
    confidence: 0.9,
    hasAbstained: false,
    searchMs: 10,
    chatMs: 20,
    content: '',
    ...given,
  };
}
