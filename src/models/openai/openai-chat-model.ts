import type { Logger } from 'pino';
import { startCallDeadline } from '../availability/call-deadline.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import type { ChatModel, ContextLimits, RewriteRequest, RewrittenQuestion } from '../models.ts';
import { buildRewritePrompt } from '../prompt/prompt.ts';
import { streamModelAnswer } from './openai-answer.ts';
import type { ModelCaller } from './openai-caller.ts';
import { type OpenAiEndpoint, openAiClient } from './openai-client.ts';
import { requestCompletion } from './openai-completion.ts';
import { toModelError } from './openai-failure.ts';
import { defaultOpenAiLimits } from './openai-limits.ts';
import { hasModel } from './openai-models.ts';
import { defaultChatOptions } from './openai-parameters.ts';
import { requestText, requestWordedReply } from './openai-reply.ts';
import { estimateUsage } from './openai-usage.ts';
import { ReasoningFilter, type ReasoningStyle } from './reasoning-filter.ts';
import { invalidUsageReporter } from './reported-tokens.ts';

/** Creates a chat model for any server that offers OpenAI's Chat Completions API. Answers are streamed. */
export function openAiChatModel(
  server: OpenAiEndpoint & { readonly contextLimits?: ContextLimits },
): ChatModel {
  const caller: ModelCaller = {
    client: openAiClient(server),
    model: server.model,
    limits: { ...defaultOpenAiLimits, ...server.limits },
    options: { ...defaultChatOptions, ...server.chatOptions },
    rejectedParameters: new Set(),
    reasoningStyle: { isUnopened: null },
    reportInvalidUsage: invalidUsageReporter(server.log, server.model),
  };
  return chatModelOf(caller, server);
}

function chatModelOf(
  caller: ModelCaller,
  { contextLimits, log }: { readonly contextLimits?: ContextLimits; readonly log?: Logger },
): ChatModel {
  return {
    name: caller.model,
    contextLimits,
    options: caller.options,
    configure({ model = caller.model, options, contextLimits }) {
      const reportInvalidUsage = invalidUsageReporter(log, model);
      return chatModelOf({ ...caller, model, options, reportInvalidUsage }, { contextLimits, log });
    },
    hasModel: (name, signal) => hasModel(caller, name, signal),
    rewriteQuestion: (request, signal, onTry) => rewrite({ ...caller, onTry }, request, signal),
    answer: (request, signal, onTry) => streamModelAnswer({ ...caller, onTry }, request, signal),
    wordReply: (request, signal, onTry) =>
      requestWordedReply({ ...caller, onTry }, request, signal),
    complete: (messages, signal) =>
      requestText(caller, messages, { signal, timeoutMs: caller.limits.completionTimeoutMs }),
  };
}

async function rewrite(
  caller: ModelCaller,
  request: RewriteRequest,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  throwIfAborted(signal);
  const isAlone = request.history.length === 0;
  if (isAlone && !request.language) {
    return { query: request.question, usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const messages = buildRewritePrompt(request);
  const { rewriteTimeoutMs, translationTimeoutMs } = caller.limits;
  const deadline = startCallDeadline(signal, isAlone ? translationTimeoutMs : rewriteTimeoutMs);
  try {
    const completion = await requestCompletion(caller, messages, deadline.controller.signal);
    const query = readQuery(completion.text, caller.reasoningStyle);
    return { query, usage: completion.usage ?? estimateUsage(messages, query) };
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}

/**
 * Returns the rewritten question from the response. It is the last line, without the labels and quotes that models
 * often add.
 */
function readQuery(text: string, style: ReasoningStyle): string {
  const filter = new ReasoningFilter({ ...style });
  const lines = `${filter.push(text)}${filter.flush()}`.trim().split('\n');
  const query = (lines.at(-1) ?? '')
    .replace(/^(standalone |search )?(question|query)\s*:\s*/i, '')
    .replace(/^["'“”«»「]+|(?<!["'“”«»」])["'“”«»」]+$/g, '')
    .trim();
  if (query === '' || query.length > maxQueryLength) {
    throw modelFailure('The model did not return a rewritten question');
  }
  return query;
}

/** Maximum length of a rewritten question in UTF-16 units. A longer text is an answer and not a question. */
const maxQueryLength = 1_000;
