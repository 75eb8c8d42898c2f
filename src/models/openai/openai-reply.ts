import { startCallDeadline } from '../availability/call-deadline.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import type { ReplyRequest, WordedReply } from '../models.ts';
import type { PromptMessage } from '../prompt/prompt-message.ts';
import { buildReplyPrompt } from '../prompt/reply-prompt.ts';
import type { ModelCaller } from './openai-caller.ts';
import { requestCompletion } from './openai-completion.ts';
import { toModelError } from './openai-failure.ts';
import { estimateUsage } from './openai-usage.ts';
import { ReasoningFilter } from './reasoning-filter.ts';

/** Maximum length of a reply in UTF-16 units. A longer text is not a reply to small talk. */
const maxReplyLength = 1_000;

/** Asks the model to write a reply to small talk. */
export async function requestWordedReply(
  caller: ModelCaller,
  request: ReplyRequest,
  signal: AbortSignal,
): Promise<WordedReply> {
  return requestText(caller, buildReplyPrompt(request), {
    signal,
    timeoutMs: caller.limits.replyTimeoutMs,
    isAccepted: ({ length }) => length > 0 && length <= maxReplyLength,
  });
}

/** Asks the model for a short text, without its reasoning. */
export async function requestText(
  caller: ModelCaller,
  messages: readonly PromptMessage[],
  {
    signal,
    timeoutMs,
    isAccepted = () => true,
  }: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    /** Whether the text is short enough. If not, the call fails. */
    readonly isAccepted?: (text: string) => boolean;
  },
): Promise<WordedReply> {
  throwIfAborted(signal);
  const deadline = startCallDeadline(signal, timeoutMs);
  try {
    const completion = await requestCompletion(caller, messages, deadline.controller.signal);
    const filter = new ReasoningFilter({ ...caller.reasoningStyle });
    const text = `${filter.push(completion.text)}${filter.flush()}`.trim();
    if (!isAccepted(text)) throw modelFailure('The model did not return a short reply');
    return { text, usage: completion.usage ?? estimateUsage(messages, text) };
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}
