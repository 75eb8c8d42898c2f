import type { AnswerTrace } from '../../src/domain/chat/traces/answer-trace.ts';
import { encodeTrace } from '../../src/domain/chat/traces/trace-format.ts';

/** Returns a trace in its stored form. */
export function storedTrace(
  asked: string,
  changes: Partial<AnswerTrace> = {},
): Uint8Array<ArrayBuffer> {
  const bytes = encodeTrace({
    question: { asked, rewritten: null, corrected: null, translated: null },
    decision: { confidence: null, threshold: null, reasons: ['SMALL_TALK'], features: [] },
    ...{ hits: [], modelCalls: [], filtered: [], timings: [] },
    ...changes,
  });
  if (bytes === null) throw new Error('the trace is too large');
  return Uint8Array.from(bytes);
}
