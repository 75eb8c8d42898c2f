import { expect, test } from 'vitest';
import { computeFigures, type JudgedResult } from '../../../src/domain/evaluation/figures.ts';
import { judgeAnswer } from '../../../src/domain/evaluation/judge-answer.ts';

const judged: JudgedResult = {
  mustRefuse: false,
  isDocumentJudged: true,
  rank: 1,
  firstCitationRight: true,
  containsExpected: true,
  refused: false,
  modelVerdict: null,
  confidence: 0.9,
  latencyMs: 100,
  tokens: 10,
};
const unanswerable: JudgedResult = {
  ...judged,
  ...{ mustRefuse: true, isDocumentJudged: false, rank: null, firstCitationRight: null },
  ...{ containsExpected: null, refused: true, confidence: 0.1 },
};

test('counts each figure over the questions that ask for it', () => {
  const figures = computeFigures([
    judged,
    { ...judged, rank: 4, firstCitationRight: false, containsExpected: false },
    { ...judged, rank: null, firstCitationRight: false, refused: true, confidence: 0.2 },
    { ...judged, isDocumentJudged: false, rank: null, firstCitationRight: null },
    unanswerable,
    { ...unanswerable, refused: false, confidence: 0.8 },
  ]);
  expect(figures).toMatchObject({
    ...{ recallAt1: 1 / 3, recallAt5: 2 / 3, mrr: (1 + 1 / 4) / 3, firstCitationRight: 1 / 3 },
    ...{ containsExpected: 3 / 4, refusedRight: 1 / 2, refusedWrongly: 1 / 4, tokens: 60 },
    ...{ auroc: (3 * 2 + 1) / 8, latencyP50Ms: 100 },
    n: { recallAt1: 3, containsExpected: 4, refusedRight: 2, refusedWrongly: 4, auroc: 6 },
  });
});

test('the calibration error has an interval, and the reliability diagram only steps with questions', () => {
  const figures = computeFigures([judged, judged, unanswerable]);
  expect(figures.calibrationError).toBeCloseTo(0.1);
  expect(figures.calibrationErrorLow).toBeLessThanOrEqual(0.1);
  expect(figures.calibrationErrorHigh).toBeGreaterThanOrEqual(0.1);
  expect(figures.reliability).toEqual([
    { from: 0.1, to: 0.2, n: 1, meanConfidence: 0.1, right: 0 },
    { from: 0.9, to: 1, n: 2, meanConfidence: 0.9, right: 1 },
  ]);
});

test('figures that no question asks for are null', () => {
  const { n, reliability, ...figures } = computeFigures([
    { ...judged, isDocumentJudged: false, firstCitationRight: null, containsExpected: null },
  ]);
  expect(figures).toMatchObject({
    ...{ recallAt1: null, mrr: null, firstCitationRight: null, containsExpected: null },
    ...{ refusedRight: null, auroc: null, calibrationError: null, calibrationErrorLow: null },
  });
  expect(n.recallAt1).toBe(0);
  expect(reliability).toHaveLength(1);
  expect(computeFigures([]).tokens).toBeNull();
});

test('the verdicts of a model count over the answers that have one', () => {
  const verdicts = ['RIGHT', 'RIGHT', 'WRONG', null] as const;
  const figures = computeFigures(verdicts.map((modelVerdict) => ({ ...judged, modelVerdict })));
  expect(figures).toMatchObject({ modelRight: 2 / 3, n: { modelRight: 3 } });
  expect(computeFigures([judged])).toMatchObject({ modelRight: null, n: { modelRight: 0 } });
});

const hit = (documentId: string, documentName: string) => ({ documentId, documentName });
const citation = (documentId: string, documentName: string) => ({
  ...hit(documentId, documentName),
  ...{ chunkId: 'c', score: 1, quote: null, page: null, startOffset: 0, endOffset: 1 },
});
const nothing = { expected: [], documentId: null, documentName: null, mustRefuse: false };

test('ranks the expected document among different documents, by id or by name', () => {
  const hits = [hit('a', 'A'), hit('a', 'A'), hit('b', 'B')];
  const answer = { content: 'Yes. [1]', citations: [citation('b', 'B')] };
  const search = { hits, isDocumentMissing: false };
  expect(judgeAnswer({ ...nothing, documentId: 'b' }, search, answer)).toMatchObject({
    ...{ rank: 2, firstCitationRight: true },
  });
  expect(judgeAnswer({ ...nothing, documentName: 'A' }, search, answer)).toMatchObject({
    ...{ rank: 1, firstCitationRight: false },
  });
  expect(judgeAnswer(nothing, search, answer)).toMatchObject({
    ...{ rank: null, firstCitationRight: null },
  });
  const missing = { hits, isDocumentMissing: true };
  expect(judgeAnswer({ ...nothing, documentId: 'b' }, missing, answer)).toMatchObject({
    ...{ isDocumentMissing: true, rank: null, firstCitationRight: null },
  });
});

test('an answer must contain one alternative of each expected text', () => {
  const search = { hits: [], isDocumentMissing: false };
  const judge = (content: string, expected: string[][]) =>
    judgeAnswer({ ...nothing, expected }, search, { content, citations: [citation('a', 'A')] });
  const expected = [['noon', '12:00'], ['Saturday']];
  expect(judge('It opens at 12:00 on  SATURDAY.', expected).containsExpected).toBe(true);
  expect(judge('It opens at noon.', expected).containsExpected).toBe(false);
  expect(judge('It opens at noon.', []).containsExpected).toBeNull();
});

test('an answer without citations is a refusal, and of a question to refuse nothing is expected', () => {
  const search = { hits: [], isDocumentMissing: false };
  const expectation = { ...nothing, mustRefuse: true, expected: [['noon']], documentName: 'A' };
  expect(judgeAnswer(expectation, search, { content: 'I do not know.', citations: [] })).toEqual({
    ...{ isDocumentMissing: false, rank: null, firstCitationRight: null },
    ...{ containsExpected: null, refused: true },
  });
});
