import { startCallDeadline } from './call-deadline.ts';
import { modelFailure, throwIfAborted } from './model-failure.ts';
import type { ChatModel, RewriteRequest, RewrittenQuestion } from './models.ts';
import { type ModelCaller, streamModelAnswer } from './openai-answer.ts';
import { readChatCompletion } from './openai-chunk.ts';
import { type OpenAiEndpoint, openAiClient } from './openai-client.ts';
import { toModelError } from './openai-failure.ts';
import { defaultOpenAiLimits } from './openai-limits.ts';
import { requestWordedReply } from './openai-reply.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';
import { estimateUsage } from './openai-usage.ts';
import { buildRewritePrompt } from './prompt.ts';
import { createReasoningFilter } from './reasoning-filter.ts';

/** Creates a chat model for any server with OpenAI's Chat Completions API. Answers are streamed. */
export function openAiChatModel(server: OpenAiEndpoint): ChatModel {
  const caller: ModelCaller = {
    client: openAiClient(server),
    model: server.model,
    limits: { ...defaultOpenAiLimits, ...server.limits },
    reasoningStyle: { isUnopened: null },
  };
  return {
    name: server.model,
    rewriteQuestion: (request, signal) => rewrite(caller, request, signal),
    answer: (request, signal) => streamModelAnswer(caller, request, signal),
    wordReply: (request, signal) => requestWordedReply(caller, request, signal),
  };
}

async function rewrite(
  { client, model, limits }: ModelCaller,
  request: RewriteRequest,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  throwIfAborted(signal);
  if (request.history.length === 0) {
    return { query: request.question, usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const messages = buildRewritePrompt(request);
  const deadline = startCallDeadline(signal, limits.rewriteTimeoutMs);
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
    const query = readQuery(completion.text);
    return { query, usage: completion.usage ?? estimateUsage(messages, query) };
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}

/** Returns the rewritten question: the last line, without the labels and quotes that models often add. */
function readQuery(text: string): string {
  const filter = createReasoningFilter();
  const lines = `${filter.push(text)}${filter.flush()}`.trim().split('\n');
  const query = (lines.at(-1) ?? '')
    .replace(/^(standalone |search )?(question|query)\s*:\s*/i, '')
    .replace(/^["'“”«»「]+|["'“”«»」]+$/g, '')
    .trim();
  if (query === '' || query.length > maxQueryLength) {
    throw modelFailure('The model did not return a rewritten question');
  }
  return query;
}

/** Maximum length of a rewritten question in UTF-16 units. A longer text is an answer and not a question. */
const maxQueryLength = 1_000;
