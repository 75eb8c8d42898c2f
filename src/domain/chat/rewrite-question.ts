import { standaloneQuestion } from '../../models/follow-up/standalone-question.ts';
import type { HistoryMessage, TokenUsage } from '../../models/models.ts';
import { isForeignTo } from '../../text/detect-language.ts';
import type { Context } from '../context.ts';
import { documentLanguage } from '../knowledge/retrieval/document-language.ts';
import type { StartSlot } from './runs/answer-starts.ts';

/**
 * Rewrites a question for the search, with at most one call of the chat model. A follow-up becomes a standalone
 * question. A question in another language than the project's documents is translated into the language of the
 * documents. Returns other questions unchanged. If the model's rewrite fails, is empty or comes too late, uses the
 * built-in rewrite, which does not translate.
 */
export async function rewriteQuestion(
  context: Pick<Context, 'models' | 'database' | 'pool' | 'signal' | 'log' | 'answerTrace'>,
  input: {
    readonly projectId: string;
    readonly history: readonly HistoryMessage[];
    readonly question: string;
    readonly today: string;
    /** Start slot of the answer. Released while a language model works. */
    readonly start: StartSlot;
  },
): Promise<{ readonly query: string; readonly usage: TokenUsage }> {
  const { models, signal, log, answerTrace } = context;
  const { projectId, history, question, today, start } = input;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const { chat } = models;
  const language = chat.isExtractive ? null : await documentLanguage(context, projectId);
  const isForeign = language !== null && isForeignTo(question, language);
  if (history.length === 0 && !isForeign) return { query: question, usage };
  try {
    const call = () => chat.rewriteQuestion({ history, question, language, today }, signal);
    const rewrite = await (chat.isExtractive ? call() : start.whileReleased(signal, call));
    if (rewrite.query.trim() === '') {
      return { ...rewrite, query: standaloneQuestion({ history, question }) };
    }
    if (isForeign && rewrite.query !== question) {
      answerTrace?.setQuestion({ translated: rewrite.query });
    }
    return rewrite;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'failed to rewrite the question for the search');
    return { query: standaloneQuestion({ history, question }), usage };
  }
}
