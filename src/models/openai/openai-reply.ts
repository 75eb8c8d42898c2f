import { startCallDeadline } from '../availability/call-deadline.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import type { ReplyRequest, WordedReply } from '../models.ts';
import { buildReplyPrompt } from '../prompt/reply-prompt.ts';
import type { ModelCaller } from './openai-caller.ts';
import { requestCompletion } from './openai-completion.ts';
import { toModelError } from './openai-failure.ts';
import { estimateUsage } from './openai-usage.ts';
import { createReasoningFilter } from './reasoning-filter.ts';

/** Maximum length of a reply in UTF-16 units. A longer text is not a reply to small talk. */
const maxReplyLength = 1_000;

/** Asks the model to write a reply to small talk. */
export async function requestWordedReply(
  caller: ModelCaller,
  request: ReplyRequest,
  signal: AbortSignal,
): Promise<WordedReply> {
  throwIfAborted(signal);
  const messages = buildReplyPrompt(request);
  const deadline = startCallDeadline(signal, caller.limits.replyTimeoutMs);
  try {
    const completion = await requestCompletion(caller, messages, deadline.controller.signal);
    const filter = createReasoningFilter({ ...caller.reasoningStyle });
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
