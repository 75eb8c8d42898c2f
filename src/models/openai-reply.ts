import { startCallDeadline } from './call-deadline.ts';
import { modelFailure, throwIfAborted } from './model-failure.ts';
import type { ReplyRequest, WordedReply } from './models.ts';
import type { ModelCaller } from './openai-answer.ts';
import { readChatCompletion } from './openai-chunk.ts';
import { toModelError } from './openai-failure.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';
import { estimateUsage } from './openai-usage.ts';
import { createReasoningFilter } from './reasoning-filter.ts';
import { buildReplyPrompt } from './reply-prompt.ts';

/** Maximum length of a reply in UTF-16 units. A longer text is not a reply to small talk. */
const maxReplyLength = 1_000;

/** Asks the model for the words of a reply to small talk. */
export async function requestWordedReply(
  { client, model, limits }: ModelCaller,
  request: ReplyRequest,
  signal: AbortSignal,
): Promise<WordedReply> {
  throwIfAborted(signal);
  const messages = buildReplyPrompt(request);
  const deadline = startCallDeadline(signal, limits.replyTimeoutMs);
  try {
    const response = await sendWithRetries(
      () =>
        client.chat.completions
          .create({ model, messages }, { signal: deadline.controller.signal })
          .asResponse(),
      limits,
      deadline.controller.signal,
    );
    const completion = readChatCompletion(await readJson(response, limits.maxResponseBytes));
    const filter = createReasoningFilter();
    const text = `${filter.push(completion.text)}${filter.flush()}`.trim();
    if (text === '' || text.length > maxReplyLength) {
      throw modelFailure('The model did not return a short reply');
    }
    return { text, usage: completion.usage ?? estimateUsage(messages, text) };
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}
