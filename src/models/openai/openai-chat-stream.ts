import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { CallDeadline } from '../availability/call-deadline.ts';
import { modelFailure } from '../availability/model-failure.ts';
import type { AnswerPart } from '../models.ts';
import { createEventStreamParser } from './event-stream.ts';
import type { ModelCaller } from './openai-caller.ts';
import { createChatParts } from './openai-chat-parts.ts';
import { chatParameters, sendSupported } from './openai-parameters.ts';
import { openLimitedBody } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/**
 * Streams the text of a completion, and then the usage if the server reports it. Texts that arrive in one read become
 * one part.
 *
 * The connection can end early without an error, and the body can be an HTML page. So the answer is complete only after
 * a `finish_reason`. Errors after that, such as a connection that stays open, are ignored.
 */
export async function* streamChat(
  caller: ModelCaller,
  messages: ChatCompletionMessageParam[],
  deadline: CallDeadline,
): AsyncGenerator<AnswerPart> {
  const { limits, reportInvalidUsage } = caller;
  const { signal } = deadline.controller;
  const response = await sendWithRetries(
    () => openStream(caller, messages, signal),
    limits,
    signal,
    caller.onTry,
  );
  const parser = createEventStreamParser();
  const maxLength = maxReasoningFactor * limits.maxAnswerLength;
  const chat = createChatParts(response.headers, maxLength, reportInvalidUsage);
  const body = openLimitedBody(response, limits.maxResponseBytes);
  try {
    for (let isOver = false; !isOver; ) {
      const bytes = await body.read();
      isOver = bytes === null;
      const { parts, failure } = chat.read(bytes === null ? parser.flush() : parser.push(bytes));
      if (parts.length > 0) {
        // The time that a slow consumer takes must not count as time of the server.
        deadline.pauseIdleTimeout();
        for (const part of parts) yield part;
      }
      if (failure !== null) throw failure.error;
      if (chat.isDone && chat.finishReason === null) break;
      if (chat.finishReason !== null)
        deadline.resetIdleTimeout(chat.isDone ? endTimeoutMs : usageTimeoutMs);
    }
  } catch (error) {
    if (chat.finishReason === null) throw error;
  } finally {
    body.close();
  }
  if (chat.finishReason === null) {
    throw modelFailure('The model stopped before its answer was complete', { retryable: true });
  }
  yield { type: 'finish', reason: chat.finishReason };
  if (chat.usage) yield { type: 'usage', usage: chat.usage };
}

/** Maximum time to wait for the usage event after the answer has ended. */
const usageTimeoutMs = 2_000;

/**
 * Maximum time to wait for the end of the body after `[DONE]`. If the body is read to its end, the connection can be
 * reused.
 */
const endTimeoutMs = 100;

/**
 * Opens the stream. If the server rejects `stream_options`, the request is sent without it. Such servers send the usage
 * anyway.
 */
function openStream(
  { client, model, options, rejectedParameters }: ModelCaller,
  messages: ChatCompletionMessageParam[],
  signal: AbortSignal,
): Promise<Response> {
  return sendSupported(
    rejectedParameters,
    (rejected) => ({
      ...chatParameters(options, rejected),
      ...(!rejected.has('stream_options') && { stream_options: { include_usage: true } }),
    }),
    (parameters) =>
      client.chat.completions
        .create(
          { ...parameters, model, messages, stream: true },
          { signal, timeout: maxSdkTimeoutMs },
        )
        .asResponse(),
  );
}

/** Maximum timeout of the SDK, which in effect disables it (0 does not). The call deadline limits the time instead. */
const maxSdkTimeoutMs = 2 ** 31 - 1;

/** Maximum length of a stream, including reasoning, as a multiple of the maximum length of an answer. */
const maxReasoningFactor = 8;
