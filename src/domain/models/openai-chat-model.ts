import { randomBytes } from 'node:crypto';
import type OpenAI from 'openai';
import { answerMessages, type PromptMessage, rewriteMessages } from '../chat/prompt.ts';
import { countTokens } from '../knowledge/count-tokens.ts';
import { watchCall } from './call-watch.ts';
import { modelFailure, throwIfStopped } from './model-failure.ts';
import type {
  AnswerPart,
  AnswerRequest,
  ChatModel,
  RewriteRequest,
  RewrittenQuestion,
  TokenUsage,
} from './models.ts';
import { streamChat } from './openai-chat-stream.ts';
import { readChatCompletion } from './openai-chunk.ts';
import { type OpenAiServer, openAiClient } from './openai-client.ts';
import { openAiFailure } from './openai-failure.ts';
import { defaultOpenAiLimits, type OpenAiLimits } from './openai-limits.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';
import { withoutReasoning } from './reasoning-filter.ts';

/** A chat model behind OpenAI's Chat Completions protocol, streamed. */
export function openAiChatModel(server: OpenAiServer): ChatModel {
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
  throwIfStopped(signal);
  const messages = answerMessages(request, { boundary: randomBytes(8).toString('hex') });
  const watch = watchCall(signal, limits.answerMs);
  const filter = withoutReasoning();
  let written = '';
  let usage: TokenUsage | null = null;
  try {
    for await (const part of streamChat(client, { model, messages }, limits, watch)) {
      if (part.type === 'usage') {
        usage = part.usage;
        continue;
      }
      const text = filter.push(part.text);
      if (text !== '') {
        written += text;
        yield { type: 'text', text };
      }
    }
    throwIfStopped(signal);
    const rest = filter.flush();
    if (rest !== '') {
      written += rest;
      yield { type: 'text', text: rest };
    }
    if (written.trim() === '') {
      throw modelFailure('The model gave an empty answer', { retryable: true });
    }
    yield { type: 'usage', usage: usage ?? estimateUsage(messages, written) };
  } catch (error) {
    throw watch.failure() ?? openAiFailure(error);
  } finally {
    watch.close();
  }
}

async function rewrite(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
  request: RewriteRequest,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  throwIfStopped(signal);
  if (request.history.length === 0) {
    return { query: request.question, usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const messages = rewriteMessages(request);
  const watch = watchCall(signal, limits.rewriteMs);
  try {
    const response = await sendWithRetries(
      () =>
        client.chat.completions
          .create({ model, messages }, { signal: watch.controller.signal })
          .asResponse(),
      limits,
      watch.controller.signal,
    );
    const completion = readChatCompletion(await readJson(response, limits.maxResponseBytes));
    const query = readQuery(completion.text);
    return { query, usage: completion.usage ?? estimateUsage(messages, query) };
  } catch (error) {
    throw watch.failure() ?? openAiFailure(error);
  } finally {
    watch.close();
  }
}

/** The last line, without the label and the quotes models like to add. */
function readQuery(text: string): string {
  const filter = withoutReasoning();
  const lines = `${filter.push(text)}${filter.flush()}`.trim().split('\n');
  const query = (lines.at(-1) ?? '')
    .replace(/^(standalone |search )?(question|query)\s*:\s*/i, '')
    .replace(/^["'“”«»「]+|["'“”«»」]+$/g, '')
    .trim();
  if (query === '' || query.length > maxQueryLength) {
    throw modelFailure('The model did not rewrite the question');
  }
  return query;
}

/** UTF-16 units; a longer text is no question but an answer. */
const maxQueryLength = 1_000;

function estimateUsage(messages: readonly PromptMessage[], text: string): TokenUsage {
  const prompt = messages.map((message) => message.content).join('\n');
  return { inputTokens: countTokens(prompt), outputTokens: countTokens(text) };
}
