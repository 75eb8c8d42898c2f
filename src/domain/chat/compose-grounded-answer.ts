import { setImmediate as nextTurn } from 'node:timers/promises';
import { confidentialTexts } from '../../models/prompt/prompt.ts';
import { once } from '../../platform/once.ts';
import type { Context } from '../context.ts';
import { createOutputFilter } from '../output-filter/output-filter.ts';
import type { RecordStep } from './answer-draft.ts';
import {
  isConfidenceDecisive,
  isModelAsked,
  maxFallbackConfidence,
  thresholdOf,
} from './evidence/answer-rule.ts';
import { citationsOf } from './evidence/citations.ts';
import { measureConfidence } from './evidence/confidence.ts';
import { type Asked, findPassages } from './find-passages.ts';
import { builtInFallbackText } from './intents/built-in-replies.ts';
import { judgeAnswer } from './judge-answer.ts';
import { startAnswerStep } from './traces/answer-span.ts';
import { readAhead, writeAnswer } from './write-answer.ts';

/**
 * Answers a question from the project's documents, in four steps: finds passages, decides whether they support an
 * answer, writes the answer, and judges the written text. Records each step. The caller passes a context with the
 * project's model (`withProjectModel`).
 *
 * If retrieval finds nothing relevant, or the confidence is below the threshold, the answer is the project's fallback
 * text and the chat model is not called. If the model refuses, the answer has no citations.
 */
export async function composeGroundedAnswer(
  context: Context,
  asked: Asked,
  record: RecordStep,
): Promise<void> {
  const { project, question, start } = asked;
  const { models, signal, answerTrace } = context;
  const fallbackText = project.fallbackText ?? builtInFallbackText(question, asked.history);

  const found = await findPassages(context, asked, record);
  const { retrieved, request, contextChunks, correctedQuestion } = found;

  startAnswerStep(context, 'DECIDE');
  const measure = once(() => {
    const measured = measureConfidence(found.query, retrieved);
    record({ type: 'progress', retrievalConfidence: measured.beforeAnswer });
    if (measured.features !== null) answerTrace?.setFeatures({ ...measured.features });
    return measured;
  });
  const rule = { ...project, model: models.chat };
  const isAsked = isModelAsked(rule, retrieved, () => measure().beforeAnswer);
  answerTrace?.setDecision({ threshold: thresholdOf(rule, retrieved), isModelAsked: isAsked });
  if (!isAsked) {
    const confidence = Math.min(measure().beforeAnswer, maxFallbackConfidence);
    record({ type: 'sources', citations: [], confidence, correctedQuestion });
    record({ type: 'delta', text: fallbackText });
    return;
  }

  record({ type: 'progress', model: models.chat.name, sources: request.sources });
  startAnswerStep(context, 'WRITE');
  const call = answerTrace?.startCall(models.chat.name, 'ANSWER');
  const parts = readAhead(models.chat.answer(request, signal, call?.onTry));
  // Sends the request to the chat model before the measurement below keeps the processor busy.
  if (!isConfidenceDecisive(rule)) await nextTurn();
  const { beforeAnswer: confidence } = measure();
  const citations = citationsOf(contextChunks, question);
  start[Symbol.dispose]();
  record({ type: 'sources', citations, confidence, correctedQuestion });

  // An extractive model does not receive the instructions, so its answer cannot reveal them.
  const confidential = models.chat.isExtractive ? [] : confidentialTexts(project.instructions);
  const { sources } = request;
  const filter = createOutputFilter({ sources, question, confidential, fallbackText });
  const writing = { filter, usageBefore: found.usage, call };
  const written = await writeAnswer(parts, writing, record);
  answerTrace?.setFiltered(filter.filtered);
  startAnswerStep(context, 'JUDGE');

  judgeAnswer(
    context,
    asked,
    { measured: measure(), contextChunks, filter, written, fallbackText },
    record,
  );
}
