import { randomBytes } from 'node:crypto';
import { startCallDeadline } from '../availability/call-deadline.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import type { AnswerPart, AnswerRequest, FinishReason, TokenUsage } from '../models.ts';
import { buildAnswerPrompt } from '../prompt/prompt.ts';
import { halveContext, isContextOverflow } from './context-overflow.ts';
import { createAnswerText } from './openai-answer-text.ts';
import type { ModelCaller } from './openai-caller.ts';
import { streamChat } from './openai-chat-stream.ts';
import { toModelError } from './openai-failure.ts';
import { estimateUsage } from './openai-usage.ts';

/**
 * Streams an answer. If the prompt is too long for the model, asks once more with half of the sources and half of the
 * history.
 */
export async function* streamModelAnswer(
  caller: ModelCaller,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const startedAt = performance.now();
  let hasText = false;
  try {
    for await (const part of streamAttempt(caller, request, signal)) {
      hasText ||= part.type === 'text';
      yield part;
    }
  } catch (error) {
    if (hasText || signal.aborted || !isContextOverflow(error)) throw error;
    const answerTimeoutMs = caller.limits.answerTimeoutMs - (performance.now() - startedAt);
    const limits = { ...caller.limits, answerTimeoutMs };
    yield* streamAttempt({ ...caller, limits }, halveContext(request), signal);
  }
}

async function* streamAttempt(
  caller: ModelCaller,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  throwIfAborted(signal);
  const { limits, reasoningStyle } = caller;
  const messages = buildAnswerPrompt(request, { boundary: randomBytes(8).toString('hex') });
  const deadline = startCallDeadline(signal, limits.answerTimeoutMs);
  const text = createAnswerText(reasoningStyle);
  let usage: TokenUsage | null = null;
  let finishReason: FinishReason = 'STOP';
  let hasStarted = false;
  try {
    for await (const part of streamChat(caller, messages, deadline)) {
      if (!hasStarted) {
        hasStarted = true;
        yield { type: 'usage', usage: estimateUsage(messages, ''), isProvisional: true };
      }
      if (part.type === 'usage') usage = part.usage;
      else if (part.type === 'finish') finishReason = part.reason;
      else if (part.type === 'refusal') for (const refusal of text.refuse()) yield refusal;
      else for (const written of text.push(part.text)) yield written;
      if (text.written.length > limits.maxAnswerLength) {
        throw modelFailure('The answer of the model is too long');
      }
    }
    throwIfAborted(signal);
    yield* text.flush();
    if (text.written.trim() === '' && !text.isRefused) throw emptyAnswerFailure(finishReason);
    yield { type: 'finish', reason: finishReason };
    yield { type: 'usage', usage: usage ?? estimateUsage(messages, text.written) };
  } catch (error) {
    // The usage is also reported if the answer fails or is stopped, because the server charges for its text.
    if (hasStarted) yield { type: 'usage', usage: usage ?? estimateUsage(messages, text.written) };
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}

function emptyAnswerFailure(finishReason: FinishReason) {
  return finishReason === 'LENGTH'
    ? modelFailure('The model reached its output limit before it wrote an answer')
    : modelFailure('The model returned an empty answer', { retryable: true });
}
