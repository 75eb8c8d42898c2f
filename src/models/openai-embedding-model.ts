import type OpenAI from 'openai';
import { startCallDeadline } from './call-deadline.ts';
import { embeddingBatches } from './embedding-batches.ts';
import { throwIfAborted } from './model-failure.ts';
import type { EmbeddingModel, Embeddings, EmbedOptions } from './models.ts';
import { type OpenAiEndpoint, openAiClient } from './openai-client.ts';
import { readEmbeddings, requireSameDimensions } from './openai-embeddings.ts';
import { toModelError } from './openai-failure.ts';
import { defaultOpenAiLimits, type OpenAiLimits } from './openai-limits.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';

/** Creates an embedding model for any server with OpenAI's `/embeddings` API. */
export function openAiEmbeddingModel(server: OpenAiEndpoint): EmbeddingModel {
  const client = openAiClient(server);
  const limits = { ...defaultOpenAiLimits, ...server.limits };
  return {
    name: server.model,
    embed: (texts, options) => embed(client, server.model, limits, texts, options),
  };
}

/** Maximum number of concurrent requests of one `embed` call. */
const maxConcurrentRequests = 3;

async function embed(
  client: OpenAI,
  model: string,
  limits: OpenAiLimits,
  texts: readonly string[],
  options: EmbedOptions = {},
): Promise<Embeddings> {
  throwIfAborted(options.signal);
  const batches = embeddingBatches(texts);
  const results: Embeddings[] = [];
  // The first failure cancels the other requests.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const queue = batches.entries();
  const timeoutMs = options.kind === 'query' ? limits.queryTimeoutMs : limits.embeddingTimeoutMs;
  const work = async () => {
    for (const [index, batch] of queue) {
      results[index] = await embedBatch(client, { model, limits, timeoutMs }, batch, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentRequests }, work));
  } finally {
    stop.abort();
  }
  const vectors = results.flatMap((result) => result.vectors);
  requireSameDimensions(vectors);
  return { vectors, tokens: results.reduce((sum, result) => sum + result.tokens, 0) };
}

interface BatchOptions {
  readonly model: string;
  readonly limits: OpenAiLimits;
  readonly timeoutMs: number;
}

async function embedBatch(
  client: OpenAI,
  { model, limits, timeoutMs }: BatchOptions,
  texts: string[],
  callerSignal: AbortSignal,
): Promise<Embeddings> {
  const deadline = startCallDeadline(callerSignal, timeoutMs);
  const { signal } = deadline.controller;
  try {
    const response = await sendWithRetries(
      () =>
        client.embeddings
          .create({ model, input: texts, encoding_format: 'float' }, { signal, timeout: timeoutMs })
          .asResponse(),
      limits,
      signal,
    );
    return readEmbeddings(await readJson(response, limits.maxResponseBytes), texts);
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}
