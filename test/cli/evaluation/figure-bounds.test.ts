import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/command.ts';
import {
  checkBounds,
  describeMissedBound,
  parseBounds,
} from '../../../src/cli/evaluation/figure-bounds.ts';
import { figureNames } from '../../../src/domain/evaluation/figures.ts';
import { evaluationRun } from '../../support/evaluation/evaluation-records.ts';

const noFigures = evaluationRun().figures;

test('bounds are read, also with the short names of recall', () => {
  expect(parseBounds('recall1=.9, recallAt5=0.95,latencyP95Ms=1500,refusedWrongly=0')).toEqual([
    { figure: 'recallAt1', bound: 0.9 },
    { figure: 'recallAt5', bound: 0.95 },
    { figure: 'latencyP95Ms', bound: 1_500 },
    { figure: 'refusedWrongly', bound: 0 },
  ]);
});

test.each([
  ['', '--fail-under has the unknown figure ""'],
  ['recall=.9', 'unknown figure "recall". Figures: recallAt1, recallAt5, mrr,'],
  ['reliability=.9', 'unknown figure "reliability"'],
  ['recall5', '--fail-under needs a number from 0 to 1: recallAt5=…'],
  ['recall5=', 'a number from 0 to 1'],
  ['recall5=ninety', 'a number from 0 to 1'],
  ['recall5=90', 'a number from 0 to 1'],
  ['recall5=-1', 'a number from 0 to 1'],
  ['recall5=.9=.8', 'a number from 0 to 1'],
  ['latencyP50Ms=Infinity', 'a number of at least 0'],
  ['recall5=.9,recallAt5=.8', '--fail-under has recallAt5 twice'],
])('the bounds "%s" are wrong usage', (text, message) => {
  expect(() => parseBounds(text)).toThrow(UsageError);
  expect(() => parseBounds(text)).toThrow(message);
});

test.each(figureNames)('%s meets a bound that it equals', (figure) => {
  expect(isMet(figure, 0.5, 0.5)).toBe(true);
});

test('costs and errors fail above the bound, the other figures below', () => {
  const failAbove = figureNames.filter((figure) => !isMet(figure, 0.6, 0.5));
  const failBelow = figureNames.filter((figure) => !isMet(figure, 0.4, 0.5));
  expect(failAbove).toEqual([
    ...['refusedWrongly', 'calibrationError', 'latencyP50Ms', 'latencyP95Ms', 'tokens'],
  ]);
  expect(new Set([...failAbove, ...failBelow])).toEqual(new Set(figureNames));
  expect(failAbove.length + failBelow.length).toBe(figureNames.length);
});

test('a figure that no question asks for does not meet its bound', () => {
  expect(isMet('refusedRight', null, 0)).toBe(false);
  expect(isMet('refusedWrongly', null, 1)).toBe(false);
});

test('a missed bound is described', () => {
  const missed = { bound: 0.5, isMet: false } as const;
  const describe = (figure: (typeof figureNames)[number], value: number | null) =>
    describeMissedBound({ ...missed, figure, value });
  expect(describe('mrr', 1 / 3)).toBe('mrr is 0.333333, below its bound 0.5.');
  expect(describe('refusedWrongly', 0.75)).toBe('refusedWrongly is 0.75, above its bound 0.5.');
  expect(describe('auroc', null)).toBe(
    'auroc has no value, because no question of the set asks for it. Its bound is 0.5.',
  );
});

function isMet(figure: (typeof figureNames)[number], value: number | null, bound: number): boolean {
  if (noFigures === null) throw new Error('The run has no figures.');
  return checkBounds([{ figure, bound }], { ...noFigures, [figure]: value })[0]?.isMet === true;
}
