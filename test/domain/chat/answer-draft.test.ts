import { expect, test } from 'vitest';
import { createAnswerDraft, emptyDraft } from '../../../src/domain/chat/answer-draft.ts';
import type { AnswerEvent } from '../../../src/domain/chat/chat-event.ts';

test('a draft follows the recorded steps, and only events reach the readers', () => {
  const events: AnswerEvent[] = [];
  const { draft, record } = createAnswerDraft((event) => events.push(event));
  expect(draft).toEqual(emptyDraft);
  const searchTokens = [{ model: 'small', kind: 'EMBEDDING', tokens: 2 }] as const;
  const steps = [
    { type: 'progress', usage: { inputTokens: 3, outputTokens: 1 } },
    { type: 'progress', correctedQuestion: 'When?', searchTokens },
    { type: 'sources', citations: [], confidence: 0.8, correctedQuestion: 'When?' },
    { type: 'delta', text: 'Until ' },
    { type: 'delta', text: '11:00' },
    { type: 'progress', confidence: 0.7, finishReason: 'STOP' },
  ] as const;
  for (const step of steps) record(step);
  expect(draft).toEqual({
    ...emptyDraft,
    content: 'Until 11:00',
    confidence: 0.7,
    correctedQuestion: 'When?',
    searchTokens,
    finishReason: 'STOP',
    usage: { inputTokens: 3, outputTokens: 1 },
  });
  expect(events).toEqual(steps.filter(({ type }) => type !== 'progress'));
  expect(emptyDraft.content).toBe('');
});
