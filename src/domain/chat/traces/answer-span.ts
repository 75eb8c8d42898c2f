import type { Span } from '../../../platform/tracing/span.ts';
import { inSpan, startSpanStep } from '../../../platform/tracing/tracer.ts';
import type { Context } from '../../context.ts';
import type { AnswerStepName } from './answer-steps.ts';

/**
 * Composes an answer in a span, which is part of the trace of the request. `startAnswerStep` adds its steps. If tracing is
 * off, `work` receives null.
 */
export function inAnswerSpan<T>(work: (span: Span | null) => Promise<T>): Promise<T> {
  return inSpan('answer', { hasSteps: true }, (span) => {
    startStepSpan('START');
    return work(span);
  });
}

/** Ends the current step of an answer and starts the next one, in the stored trace of the answer and as a span. */
export function startAnswerStep(
  { answerTrace }: Pick<Context, 'answerTrace'>,
  step: AnswerStepName,
): void {
  answerTrace?.startStep(step);
  startStepSpan(step);
}

function startStepSpan(step: AnswerStepName): void {
  startSpanStep(`answer ${step}`, { 'grounded_chat.answer.step': step });
}
