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
 * Streams the text of a completion, then the usage if the server reports it. Texts that arrive in one read are one
 * part.
 *
 * The connection can end early without an error, and the body can be an HTML page. The answer is therefore complete
 * only after a `finish_reason`. Later errors, such as a connection left open, are ignored.
 */
export async function* streamChat(
  caller: ModelCaller,
  messages: ChatCompletionMessageParam[],
  deadline: CallDeadline,
): AsyncGenerator<AnswerPart> {
  const { limits } = caller;
  const { signal } = deadline.controller;
  deadline.resetIdleTimeout(limits.headersTimeoutMs);
  const response = await sendWithRetries(
    () => openStream(caller, messages, signal),
    limits,
    signal,
  );
  const parser = createEventStreamParser();
  const chat = createChatParts(response.headers, maxReasoningFactor * limits.maxAnswerLength);
  const resetIdleTimeout = () => {
    const lastTimeoutMs = chat.isDone ? endTimeoutMs : usageTimeoutMs;
    deadline.resetIdleTimeout(chat.finishReason !== null ? lastTimeoutMs : limits.idleTimeoutMs);
  };
  resetIdleTimeout();
  const body = openLimitedBody(response, limits.maxResponseBytes);
  try {
    for (let isOver = false; !isOver; ) {
      const bytes = await body.read();
      isOver = bytes === null;
      const { parts, failure } = chat.read(bytes === null ? parser.flush() : parser.push(bytes));
      if (parts.length > 0) {
        // The time that a slow consumer takes must not count as idle time of the model.
        deadline.pauseIdleTimeout();
        for (const part of parts) yield part;
      }
      if (failure !== null) throw failure.error;
      if (chat.isDone && chat.finishReason === null) break;
      resetIdleTimeout();
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

/** Maximum time to wait for the usage event after the end of the answer. */
const usageTimeoutMs = 2_000;

/** Maximum time to wait for the end of the body after `[DONE]`. A body read to its end leaves the connection reusable. */
const endTimeoutMs = 100;

/** Opens the stream. Some servers reject `stream_options` and send the usage without it. */
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

/**
 * Disables the SDK's timeout, because the call deadline limits the time. This is the maximum: 0 does not disable it.
 */
const maxSdkTimeoutMs = 2 ** 31 - 1;

/** Maximum length of a stream, reasoning included, as a multiple of the maximum length of an answer. */
const maxReasoningFactor = 8;
