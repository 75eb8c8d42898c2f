import { z } from 'zod';
import { watchCall } from './call-watch.ts';
import { modelFailure, throwIfStopped } from './model-failure.ts';
import type { Reranker } from './models.ts';
import { type OpenAiServer, openAiClient } from './openai-client.ts';
import { openAiFailure } from './openai-failure.ts';
import { defaultOpenAiLimits } from './openai-limits.ts';
import { readJson } from './openai-response.ts';

/** UTF-16 units of one text: what is longer says early what it is about. */
const maxTextLength = 4_000;

/**
 * A reranker behind `POST /rerank` as Cohere made it and Jina, vLLM, LiteLLM and Infinity took it over: `{model, query,
 * documents, top_n}` → `{results: [{index, relevance_score}]}`. One try: the caller can do without. Throws `MODEL_ERROR`.
 */
export function httpReranker(server: OpenAiServer): Reranker {
  const client = openAiClient(server);
  const limits = { ...defaultOpenAiLimits, ...server.limits };
  return {
    name: server.model,
    async score(query, texts, callerSignal) {
      throwIfStopped(callerSignal);
      if (texts.length === 0) return [];
      const watch = watchCall(callerSignal, limits.rerankMs);
      const documents = texts.map((text) => text.slice(0, maxTextLength).toWellFormed());
      const body = { model: server.model, query, documents, top_n: documents.length };
      const { signal } = watch.controller;
      try {
        const request = client.post('/rerank', { body, signal, timeout: limits.rerankMs });
        const response = await request.asResponse();
        return readScores(await readJson(response, limits.maxResponseBytes), texts.length);
      } catch (error) {
        throw watch.failure() ?? openAiFailure(error);
      } finally {
        watch.close();
      }
    },
  };
}

const replySchema = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
});

/** Each text once. Servers that send what the model gave, of any sign, are squashed: the order is what matters. */
function readScores(reply: unknown, count: number): number[] {
  const { data } = replySchema.safeParse(reply);
  const byIndex = new Map(data?.results.map((one) => [one.index, one.relevance_score]));
  const scores = Array.from({ length: count }, (_, index) => byIndex.get(index) ?? Number.NaN);
  if (data?.results.length !== count || scores.some((score) => !Number.isFinite(score))) {
    throw modelFailure('The reranker did not score every text once');
  }
  const isShare = scores.every((score) => score >= 0 && score <= 1);
  return isShare ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)));
}
