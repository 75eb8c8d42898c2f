import type OpenAI from 'openai';
import { APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { Stream } from 'openai/streaming';
import type { CallWatch } from './call-watch.ts';
import { modelFailure } from './model-failure.ts';
import type { AnswerPart, TokenUsage } from './models.ts';
import { readChatChunk } from './openai-chunk.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import { guardBody } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/**
 * Streams the text of a completion, at last the usage if the server counts it.
 * The SDK ends a cut stream, an HTML page and an abort alike without an error, so the end counts only
 * after a `finish_reason`; what happens after that, such as a connection left open, no longer matters.
 */
export async function* streamChat(
  client: OpenAI,
  body: ChatBody,
  limits: OpenAiLimits,
  watch: CallWatch,
): AsyncGenerator<AnswerPart> {
  const { controller } = watch;
  watch.expectWithin(limits.connectMs);
  const response = await sendWithRetries(
    () => openStream(client, body, controller.signal),
    limits,
    controller.signal,
  );
  let isFinished = false;
  let isReaderAway = false;
  let usage: TokenUsage | null = null;
  let length = 0;
  const expectMore = () => {
    if (!isReaderAway) {
      watch.expectWithin(isFinished ? finishMs : limits.idleMs);
    }
  };
  expectMore();
  const guarded = guardBody(response, limits.maxResponseBytes, expectMore);
  try {
    for await (const event of Stream.fromSSEResponse<unknown>(guarded, controller, client)) {
      const chunk = readChatChunk(event);
      length += chunk.text.length;
      if (length > limits.maxAnswerLength) {
        throw modelFailure('The model answered too much');
      }
      if (chunk.text !== '' && !isFinished) {
        // A slow reader is not a silent model.
        isReaderAway = true;
        watch.expectWithin(limits.answerMs);
        yield { type: 'text', text: chunk.text };
        isReaderAway = false;
      }
      usage = chunk.usage ?? usage;
      if (chunk.finishReason !== null) {
        requireNormalEnd(chunk.finishReason);
        isFinished = true;
      }
      expectMore();
    }
  } catch (error) {
    if (!isFinished) {
      throw error;
    }
  }
  if (!isFinished) {
    throw modelFailure('The model stopped in the middle of its answer', { retryable: true });
  }
  if (usage) {
    yield { type: 'usage', usage };
  }
}

export interface ChatBody {
  readonly model: string;
  readonly messages: ChatCompletionMessageParam[];
}

/** How long usage may follow the end of an answer. */
const finishMs = 2_000;

async function openStream(client: OpenAI, body: ChatBody, signal: AbortSignal): Promise<Response> {
  const send = (withUsage: boolean) =>
    client.chat.completions
      .create(
        { ...body, stream: true, ...(withUsage && { stream_options: { include_usage: true } }) },
        { signal, timeout: noTimeoutMs },
      )
      .asResponse();
  try {
    return await send(true);
  } catch (error) {
    // Some servers refuse the option and send usage without being asked.
    const isOptionRefused =
      error instanceof APIError &&
      (error.status === 400 || error.status === 422) &&
      JSON.stringify(error.error ?? error.message).includes('stream_options');
    if (isOptionRefused) {
      return await send(false);
    }
    throw error;
  }
}

/** The watch has the time; the SDK takes no zero. */
const noTimeoutMs = 2 ** 31 - 1;

/** A length limit is a normal end: the reader has what the model was allowed to say. */
const normalEnds = new Set([
  'stop',
  'length',
  'eos',
  'eos_token',
  'end_turn',
  'stop_sequence',
  'max_tokens',
  'model_length',
]);

function requireNormalEnd(finishReason: string): void {
  if (finishReason === 'content_filter') {
    throw modelFailure("The model provider's content filter stopped the answer");
  }
  if (!normalEnds.has(finishReason.toLowerCase())) {
    throw modelFailure('The model ended its answer in an unexpected way');
  }
}
