import type { HistoryMessage, TokenUsage } from '../../models/models.ts';
import { standaloneQuestion } from '../../models/standalone-question.ts';
import type { Context } from '../context.ts';

/**
 * Rewrites a follow-up into a standalone query, which can be searched without the conversation. Returns the question
 * unchanged if there is no history. If the model's rewrite fails, is empty or late, the built-in rewrite is used.
 */
export async function rewriteFollowUp(
  { models, signal, log }: Pick<Context, 'models' | 'signal' | 'log'>,
  history: readonly HistoryMessage[],
  question: string,
): Promise<{ readonly query: string; readonly usage: TokenUsage }> {
  const usage = { inputTokens: 0, outputTokens: 0 };
  if (history.length === 0) return { query: question, usage };
  try {
    const rewrite = await models.chat.rewriteQuestion({ history, question }, signal);
    const isEmpty = rewrite.query.trim() === '';
    return isEmpty ? { ...rewrite, query: standaloneQuestion({ history, question }) } : rewrite;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'failed to rewrite the follow-up question');
    return { query: standaloneQuestion({ history, question }), usage };
  }
}
