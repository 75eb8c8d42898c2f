import { recordResponseModel } from '../model-span.ts';
import type { PromptMessage } from '../prompt/prompt-message.ts';
import type { ModelCaller } from './openai-caller.ts';
import { type ChatChunk, readChatCompletion } from './openai-chunk.ts';
import { chatParameters, sendSupported } from './openai-parameters.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/**
 * Requests a short completion without streaming. Does not send the output limit of answers, because even a short text
 * may need long reasoning.
 */
export async function requestCompletion(
  { client, model, limits, options, rejectedParameters, reportInvalidUsage, onTry }: ModelCaller,
  messages: readonly PromptMessage[],
  signal: AbortSignal,
): Promise<ChatChunk> {
  const send = () =>
    sendSupported(
      rejectedParameters,
      (rejected) => chatParameters({ ...options, maxOutputTokens: null }, rejected),
      (parameters) =>
        client.chat.completions
          .create({ ...parameters, model, messages: [...messages] }, { signal })
          .asResponse(),
    );
  const response = await sendWithRetries(send, limits, signal, onTry);
  const body = await readJson(response, limits.maxResponseBytes);
  recordResponseModel(body);
  return readChatCompletion(body, reportInvalidUsage);
}
