import { z } from 'zod';
import { startCallDeadline } from '../availability/call-deadline.ts';
import { modelFailure, throwIfAborted } from '../availability/model-failure.ts';
import type { Reranker } from '../models.ts';
import type { OpenAiEndpoint } from '../openai/openai-client.ts';
import { toModelError } from '../openai/openai-failure.ts';
import { defaultOpenAiLimits } from '../openai/openai-limits.ts';
import { jsonPoster } from '../openai/openai-post.ts';
import { readJson } from '../openai/openai-response.ts';

/** Maximum UTF-16 units of one text. A longer text is cut, because its start is enough to judge its topic. */
const maxTextLength = 4_000;

/**
 * Creates a reranker for `POST /rerank`. Cohere defined this API, and Jina, vLLM, LiteLLM and Infinity offer it too.
 * Request: `{model, query, documents, top_n}`. Response: `{results: [{index, relevance_score}]}`. Does not retry,
 * because search also works without a reranker.
 *
 * @throws DomainError MODEL_ERROR from `score` when the server cannot be reached or sends an invalid response.
 */
export function httpReranker(server: OpenAiEndpoint): Reranker {
  const post = jsonPoster(server, '/rerank');
  const limits = { ...defaultOpenAiLimits, ...server.limits };
  return {
    name: server.model,
    async score(query, texts, callerSignal) {
      throwIfAborted(callerSignal);
      if (texts.length === 0) return { scores: [], tokens: 0 };
      const deadline = startCallDeadline(callerSignal, limits.rerankTimeoutMs);
      const documents = texts.map((text) => text.slice(0, maxTextLength).toWellFormed());
      const body = { model: server.model, query, documents, top_n: documents.length };
      const { signal } = deadline.controller;
      try {
        const response = await post(body, signal);
        const reply = await readJson(response, limits.maxResponseBytes);
        return { scores: readScores(reply, texts.length), tokens: readTokens(reply) };
      } catch (error) {
        throw deadline.failure() ?? toModelError(error);
      } finally {
        deadline.close();
      }
    },
  };
}

const replySchema = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
});

const count = z.int().min(0).max(1e9);

const billedSchema = z.union([
  z.object({ usage: z.object({ total_tokens: count }) }),
  z.object({ meta: z.object({ billed_units: z.object({ search_units: count }) }) }),
]);

/** Returns what the server bills: `usage.total_tokens` of Jina, Voyage and vLLM, `search_units` of Cohere. */
function readTokens(reply: unknown): number {
  const { data } = billedSchema.safeParse(reply);
  if (data === undefined) return 0;
  return 'usage' in data ? data.usage.total_tokens : data.meta.billed_units.search_units;
}

/**
 * Returns one score from 0 to 1 for each text. If the model's scores are outside this range, maps them with the
 * logistic function, which keeps their order.
 */
function readScores(reply: unknown, count: number): number[] {
  const { data } = replySchema.safeParse(reply);
  const byIndex = new Map(data?.results.map((one) => [one.index, one.relevance_score]));
  const scores = Array.from({ length: count }, (_, index) => byIndex.get(index) ?? Number.NaN);
  if (data?.results.length !== count || scores.some((score) => !Number.isFinite(score))) {
    throw modelFailure('The reranker did not score every text exactly once');
  }
  const isNormalized = scores.every((score) => score >= 0 && score <= 1);
  return isNormalized ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)));
}
