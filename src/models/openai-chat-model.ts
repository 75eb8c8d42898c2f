import { randomBytes } from 'node:crypto';
import type OpenAI from 'openai';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { startCallDeadline } from './call-deadline.ts';
import { modelFailure, throwIfAborted } from './model-failure.ts';
import type {
  AnswerPart,
  AnswerRequest,
  ChatModel,
  RewriteRequest,
  RewrittenQuestion,
  TokenUsage,
} from './models.ts';
import { createAnswerText } from './openai-answer-text.ts';
import { streamChat } from './openai-chat-stream.ts';
import { readChatCompletion } from './openai-chunk.ts';
import { type OpenAiEndpoint, openAiClient } from './openai-client.ts';
import { toModelError } from './openai-failure.ts';
import { defaultOpenAiLimits, type OpenAiLimits } from './openai-limits.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';
import { buildAnswerPrompt, buildRewritePrompt, type PromptMessage } from './prompt.ts';
import { createReasoningFilter } from './reasoning-filter.ts';

/** Creates a chat model for any server with OpenAI's Chat Completions API. Answers are streamed. */
export function openAiChatModel(server: OpenAiEndpoint): ChatModel {
  const client = openAiClient(server);
  const limits = { ...defaultOpenAiLimits, ...server.limits };
  return {
    name: server.model,
    rewriteQuestion: (request, signal) => rewrite(client, server.model, limits, request, signal),
    answer: (request, signal) => answer(client, server.model, limits, request, signal),
  };
}

async function* answer(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  throwIfAborted(signal);
  const messages = buildAnswerPrompt(request, { boundary: randomBytes(8).toString('hex') });
  const deadline = startCallDeadline(signal, limits.answerTimeoutMs);
  const text = createAnswerText();
  let usage: TokenUsage | null = null;
  try {
    for await (const part of streamChat(client, { model, messages }, limits, deadline)) {
      if (part.type === 'usage') usage = part.usage;
      else if (part.type === 'refusal') yield* text.refuse();
      else yield* text.push(part.text);
    }
    throwIfAborted(signal);
    yield* text.flush();
    if (text.written.trim() === '' && !text.isRefused) {
      throw modelFailure('The model returned an empty answer', { retryable: true });
    }
    yield { type: 'usage', usage: usage ?? estimateUsage(messages, text.written) };
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}

async function rewrite(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
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

function estimateUsage(messages: readonly PromptMessage[], text: string): TokenUsage {
  const prompt = messages.map((message) => message.content).join('\n');
  return { inputTokens: estimateTokens(prompt), outputTokens: estimateTokens(text) };
}
