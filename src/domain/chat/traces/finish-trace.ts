import type { Context } from '../../context.ts';
import type { TracedAnswer } from './answer-trace-recorder.ts';
import { encodeTrace } from './trace-format.ts';

/**
 * Returns the trace of a finished answer in its stored form. Returns null if the answer has no trace. If the trace cannot
 * be computed, logs this and returns null, because the answer must be stored in any case.
 */
export function finishTrace(
  { answerTrace, log }: Pick<Context, 'answerTrace' | 'log'>,
  answer: TracedAnswer,
): Buffer | null {
  if (answerTrace === null) return null;
  try {
    return encodeTrace(answerTrace.read(answer));
  } catch (error) {
    log.error({ err: error }, 'failed to compute the trace of an answer');
    return null;
  }
}
