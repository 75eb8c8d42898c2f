import { expect, test } from 'vitest';
import { createAnswerTrace } from '../../../../src/domain/chat/traces/create-answer-trace.ts';
import { decodeTrace, encodeTrace } from '../../../../src/domain/chat/traces/trace-format.ts';
import { newId } from '../../../../src/platform/ids.ts';

const answer = {
  outcome: { status: 'COMPLETED' },
  ...{ retrievalConfidence: 0.5, intent: null, model: 'large', finishReason: 'STOP' },
  citations: [],
} as const;

test('a trace is bounded, whatever its question, hits and calls are', () => {
  const trace = createAnswerTrace('😀'.repeat(4_000), performance.now());
  const chunk = () => {
    return { chunkId: newId(), documentId: newId(), score: 1 / 3, similarity: 1 / 7, lexical: 0 };
  };
  const hits = Array.from({ length: 300 }, chunk);
  const contextChunks = hits.slice(0, 60);
  trace.setSearch({
    hits,
    contextChunks,
    searched: hits,
    distinct: hits,
    minScores: () => () => 0,
  });
  trace.setQuestion({ rewritten: 'x'.repeat(50_000), translated: '\ud800', corrected: null });
  for (let call = 0; call < 100; call += 1) trace.startCall('m'.repeat(500), 'EMBED').end();
  const read = trace.read(answer);
  expect(read.hits).toHaveLength(40);
  expect(read.modelCalls).toHaveLength(40);
  expect(read.modelCalls[0]?.model).toHaveLength(200);
  expect(read.question.asked.length).toBeLessThanOrEqual(2_000);
  expect(read.question.asked.isWellFormed()).toBe(true);
  expect(read.question.rewritten).toHaveLength(2_000);
  expect(read.question.translated?.isWellFormed()).toBe(true);
  const bytes = encodeTrace(read);
  expect(bytes?.length).toBeLessThan(32_768);
  expect(decodeTrace(bytes ?? Buffer.alloc(0))).toEqual(read);
});

test('a trace can be read while the answer is written, and again at its end', () => {
  const trace = createAnswerTrace('When?', performance.now());
  trace.startStep('WRITE');
  const call = trace.startCall('large', 'ANSWER');
  const before = trace.read({ ...answer, outcome: { status: 'FAILED', error: null } });
  expect(before.decision.reasons).toEqual(['FAILED']);
  expect(before.timings.map(({ step }) => step)).toEqual(['START', 'WRITE']);
  call.setUsage({ inputTokens: 4, outputTokens: 2 });
  trace.startStep('JUDGE');
  const after = trace.read(answer);
  expect(after.timings.map(({ step }) => step)).toEqual(['START', 'WRITE', 'JUDGE']);
  expect(after.modelCalls).toMatchObject([{ inputTokens: 4, outputTokens: 2, tries: 1 }]);
});

test('a trace without features is that of an earlier version', () => {
  const { features: _, ...decision } = createAnswerTrace('When?', 0).read(answer).decision;
  const stored = encodeTrace({ ...createAnswerTrace('When?', 0).read(answer), decision } as never);
  expect(decodeTrace(stored ?? Buffer.alloc(0)).decision.features).toEqual([]);
});

test('a trace that is too large is not stored', () => {
  const random = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  const trace = createAnswerTrace('When?', 0).read(answer);
  expect(encodeTrace({ ...trace, question: { ...trace.question, rewritten: random } })).toBeNull();
});
