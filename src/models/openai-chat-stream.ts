import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { Stream } from 'openai/streaming';
import type { CallDeadline } from './call-deadline.ts';
import { modelFailure } from './model-failure.ts';
import type { AnswerPart, FinishReason, TokenUsage } from './models.ts';
import type { ModelCaller } from './openai-caller.ts';
import { readChatChunk } from './openai-chunk.ts';
import { chatParameters, sendSupported } from './openai-parameters.ts';
import { limitResponseSize } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/**
 * Streams the text of a completion, then the usage if the server reports it.
 *
 * For a truncated stream, an HTML page or an aborted call, the SDK ends the stream without an error. The answer is
 * therefore complete only after a `finish_reason`. Later errors, such as a connection left open, are ignored.
 */
export async function* streamChat(
  caller: ModelCaller,
  messages: ChatCompletionMessageParam[],
  deadline: CallDeadline,
): AsyncGenerator<AnswerPart> {
  const { client, limits } = caller;
  const { controller } = deadline;
  deadline.resetIdleTimeout(limits.headersTimeoutMs);
  const response = await sendWithRetries(
    () => openStream(caller, messages, controller.signal),
    limits,
    controller.signal,
  );
  let finishReason: FinishReason | null = null;
  let isConsumerPaused = false;
  let usage: TokenUsage | null = null;
  let length = 0;
  const resetIdleTimeout = () => {
    if (!isConsumerPaused) {
      deadline.resetIdleTimeout(finishReason !== null ? usageTimeoutMs : limits.idleTimeoutMs);
    }
  };
  resetIdleTimeout();
  const guarded = limitResponseSize(response, limits.maxResponseBytes, resetIdleTimeout);
  try {
    for await (const event of Stream.fromSSEResponse<unknown>(guarded, controller, client)) {
      const chunk = readChatChunk(event);
      const texts = [chunk.text, chunk.refusal].filter((text) => text !== '');
      length += chunk.text.length + chunk.refusal.length;
      if (length > maxReasoningFactor * limits.maxAnswerLength) {
        throw modelFailure('The answer of the model is too long');
      }
      if (texts.length > 0 && finishReason === null) {
        // The time that a slow consumer takes must not count as idle time of the model.
        isConsumerPaused = true;
        deadline.resetIdleTimeout(limits.answerTimeoutMs);
        if (chunk.refusal !== '') yield { type: 'refusal' };
        for (const text of texts) yield { type: 'text', text };
        isConsumerPaused = false;
      }
      usage = chunk.usage ?? usage;
      if (chunk.finishReason !== null) {
        finishReason = readFinishReason(chunk.finishReason);
        if (chunk.finishReason === 'refusal') yield { type: 'refusal' };
      }
      resetIdleTimeout();
    }
  } catch (error) {
    if (finishReason === null) {
      throw error;
    }
  }
  if (finishReason === null) {
    throw modelFailure('The model stopped before its answer was complete', { retryable: true });
  }
  yield { type: 'finish', reason: finishReason };
  if (usage) {
    yield { type: 'usage', usage };
  }
}

/** Maximum time to wait for the usage event after the end of the answer. */
const usageTimeoutMs = 2_000;

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

/** Finish reasons of a normal end, as servers spell them. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ...['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'refusal'].map(
    (spelling) => [spelling, 'STOP'] as const,
  ),
  ...['length', 'max_tokens', 'model_length'].map((spelling) => [spelling, 'LENGTH'] as const),
]);

function readFinishReason(spelling: string): FinishReason {
  if (spelling.startsWith('content_filter')) {
    throw modelFailure("The model provider's content filter stopped the answer");
  }
  const reason = finishReasons.get(spelling.toLowerCase());
  if (reason === undefined) {
    throw modelFailure('The model finished its answer with an unknown finish reason');
  }
  return reason;
}
