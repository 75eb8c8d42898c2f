import type OpenAI from 'openai';
import { watchCall } from './call-watch.ts';
import { embeddingBatches } from './embedding-batches.ts';
import { throwIfStopped } from './model-failure.ts';
import type { EmbeddingModel, Embeddings, EmbedOptions } from './models.ts';
import { type OpenAiServer, openAiClient } from './openai-client.ts';
import { readEmbeddings, requireOneSize } from './openai-embeddings.ts';
import { openAiFailure } from './openai-failure.ts';
import { defaultOpenAiLimits, type OpenAiLimits } from './openai-limits.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/** An embedding model behind OpenAI's `/embeddings`. */
export function openAiEmbeddingModel(server: OpenAiServer): EmbeddingModel {
  const client = openAiClient(server);
  const limits = { ...defaultOpenAiLimits, ...server.limits };
  return {
    name: server.model,
    embed: (texts, options) => embed(client, server.model, limits, texts, options),
  };
}

/** Requests of one call under way at once. */
const parallelRequests = 3;

async function embed(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
  texts: readonly string[],
  options: EmbedOptions = {},
): Promise<Embeddings> {
  throwIfStopped(options.signal);
  const batches = embeddingBatches(texts);
  const results: Embeddings[] = [];
  // The first failure ends the other requests too.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const queue = batches.entries();
  const work = async () => {
    for (const [index, batch] of queue) {
      results[index] = await embedBatch(client, model, limits, batch, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallelRequests }, work));
  } finally {
    stop.abort();
  }
  const vectors = results.flatMap((result) => result.vectors);
  requireOneSize(vectors);
  return { vectors, tokens: results.reduce((sum, result) => sum + result.tokens, 0) };
}

async function embedBatch(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
  texts: string[],
  callerSignal: AbortSignal,
): Promise<Embeddings> {
  const watch = watchCall(callerSignal, limits.embeddingMs);
  const { signal } = watch.controller;
  try {
    const response = await sendWithRetries(
      () =>
        client.embeddings
          .create(
            { model, input: texts, encoding_format: 'float' },
            { signal, timeout: limits.embeddingMs },
          )
          .asResponse(),
      limits,
      signal,
    );
    return readEmbeddings(await readJson(response, limits.maxResponseBytes), texts);
  } catch (error) {
    throw watch.failure() ?? openAiFailure(error);
  } finally {
    watch.close();
  }
}
