import { DomainError } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import type { OutputFilter } from '../output-filter/output-filter.ts';
import type { RecordStep } from './answer-draft.ts';
import { maxFallbackConfidence } from './evidence/answer-rule.ts';
import { assessAnswer } from './evidence/assess-answer.ts';
import type { MeasuredConfidence } from './evidence/confidence.ts';
import type { Asked } from './find-passages.ts';
import type { WrittenAnswer } from './write-answer.ts';

/**
 * Records the citations of a written answer and the confidence in it. A partial answer keeps its citations. A refusal
 * has no citations. If the model refused without writing a text, the answer is the fallback text.
 * @throws the error that ended the model's text
 * @throws DomainError MODEL_ERROR when the model has written nothing and does not refuse
 */
export function judgeAnswer(
  { models, log }: Context,
  { project, turn, question }: Pick<Asked, 'project' | 'turn' | 'question'>,
  answer: {
    readonly written: WrittenAnswer;
    readonly measured: MeasuredConfidence;
    readonly contextChunks: readonly Hit[];
    /** The output filter through which the answer was written. */
    readonly filter: OutputFilter;
    readonly fallbackText: string;
  },
  record: RecordStep,
): void {
  const { written, measured, contextChunks, filter, fallbackText } = answer;
  const { content, body, failure, finishReason } = written;
  const { citedSources: citedChunks, isPromptLeaked } = filter;
  const isEmpty = content.trim() === '';
  const atMostFallback = (confidence: number) => Math.min(confidence, maxFallbackConfidence);
  // If a model cites a source, it has answered at least a part of the question, so this is not a refusal.
  if (failure === null && written.isRefused && citedChunks.length === 0) {
    const confidence = atMostFallback(measured.beforeAnswer);
    record({ type: 'progress', finishReason: 'REFUSAL', confidence });
    if (isEmpty) record({ type: 'delta', text: fallbackText });
    return;
  }
  if (failure === null && isEmpty) {
    throw new DomainError('MODEL_ERROR', 'The model returned an empty answer. Try again', {
      retryable: true,
    });
  }
  const isExtractive = models.chat.isExtractive === true;
  const { citations, confidence } = assessAnswer({
    ...{ question, measured, content: body, contextChunks, citedChunks, isExtractive },
  });
  record({ type: 'progress', citations });
  if (failure !== null) throw failure.error;

  record({
    type: 'progress',
    confidence: isPromptLeaked ? atMostFallback(confidence) : confidence,
  });
  const where = { projectId: project.id, messageId: turn.messageId };
  if (finishReason === 'LENGTH') {
    log.warn(where, 'the model reached its output limit: answer cut off');
  }
  if (isPromptLeaked) log.warn(where, 'the model repeated its instructions: answer truncated');
}
