import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { TokenUsage } from '../models.ts';
import type { PromptMessage } from '../prompt/prompt-message.ts';

/** Estimates the token usage of a call. Used if the server does not report it. */
export function estimateUsage(messages: readonly PromptMessage[], text: string): TokenUsage {
  const prompt = messages.map((message) => message.content).join('\n');
  return { inputTokens: estimateTokens(prompt), outputTokens: estimateTokens(text) };
}
