import { startCallDeadline } from '../availability/call-deadline.ts';
import { throwIfAborted } from '../availability/model-failure.ts';
import { embeddingBatches } from '../embedding/embedding-batches.ts';
import type { EmbeddingPrefixes } from '../embedding/embedding-prefixes.ts';
import { storedModelName } from '../embedding/embedding-settings.ts';
import { measureSimilarityScale, type SimilarityScale } from '../embedding/similarity-scale.ts';
import { recordResponseModel } from '../model-span.ts';
import type { EmbeddingModel, Embeddings, EmbedOptions, OnTry } from '../models.ts';
import { type OpenAiEndpoint, openAiClient } from './openai-client.ts';
import { readEmbeddings, requireSameDimensions } from './openai-embeddings.ts';
import { toModelError } from './openai-failure.ts';
import { defaultOpenAiLimits, type OpenAiLimits } from './openai-limits.ts';
import { hasModel } from './openai-models.ts';
import { jsonPoster, type PostJson } from './openai-post.ts';
import { readJson } from './openai-response.ts';
import { sendWithRetries } from './openai-retries.ts';
import { invalidUsageReporter, type ReportInvalidUsage } from './reported-tokens.ts';

/** An embedding model on a server, and the parameters of its calls. */
export interface EmbeddingEndpoint extends OpenAiEndpoint {
  readonly prefixes?: EmbeddingPrefixes;
  readonly dimensions?: number | null;
  readonly comparesSentences?: boolean;
}

/** Creates an embedding model for any server that offers OpenAI's `/embeddings` API. */
export function openAiEmbeddingModel(server: EmbeddingEndpoint): EmbeddingModel {
  const { model, prefixes = { query: '', document: '' }, dimensions = null } = server;
  const caller: EmbeddingCaller = {
    post: jsonPoster(server, '/embeddings'),
    model,
    dimensions,
    limits: { ...defaultOpenAiLimits, ...server.limits },
    reportInvalidUsage: invalidUsageReporter(server.log, model),
  };
  const embedTexts: EmbeddingModel['embed'] = (texts, options = {}) => {
    const prefix = prefixes[options.role ?? options.kind ?? 'document'];
    const { onTry } = options;
    return embed(
      { ...caller, onTry },
      prefix === '' ? texts : texts.map((text) => prefix + text),
      options,
    );
  };
  let scale: Promise<SimilarityScale> | null = null;
  return {
    name: storedModelName({ model, prefixes, dimensions }),
    comparesSentences: server.comparesSentences ?? false,
    embed: embedTexts,
    isOnServer: (signal) =>
      hasModel({ client: openAiClient(server), limits: caller.limits }, model, signal),
    similarityScale() {
      scale ??= measureSimilarityScale(embedTexts).catch((error: unknown) => {
        scale = null;
        throw error;
      });
      return scale;
    },
  };
}

interface EmbeddingCaller {
  readonly post: PostJson;
  readonly model: string;
  readonly dimensions: number | null;
  readonly limits: OpenAiLimits;
  readonly reportInvalidUsage: ReportInvalidUsage;
  /** Set for a single call. */
  readonly onTry?: OnTry;
}

/** Maximum number of requests that one `embed` call sends at the same time. */
const maxConcurrentRequests = 3;

/** Shared by all calls, because creating the default reason takes time for its stack. */
const stoppedReason = new Error('The embedding is over');

async function embed(
  caller: EmbeddingCaller,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embeddings> {
  throwIfAborted(options.signal);
  const batches = embeddingBatches(texts);
  const { limits } = caller;
  const askedTimeoutMs = texts.length === 1 ? limits.queryTimeoutMs : limits.passagesTimeoutMs;
  const timeoutMs = options.kind === 'query' ? askedTimeoutMs : limits.embeddingTimeoutMs;
  const [only, ...others] = batches;
  if (only !== undefined && others.length === 0) {
    const signal = options.signal ?? new AbortController().signal;
    const embeddings = await embedBatch(caller, timeoutMs, only, signal);
    requireSameDimensions(embeddings.vectors);
    return embeddings;
  }
  const results: Embeddings[] = [];
  // The first failure cancels the other requests.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const queue = batches.entries();
  const work = async () => {
    for (const [index, batch] of queue) {
      results[index] = await embedBatch(caller, timeoutMs, batch, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentRequests }, work));
  } finally {
    stop.abort(stoppedReason);
  }
  const vectors = results.flatMap((result) => result.vectors);
  requireSameDimensions(vectors);
  return { vectors, tokens: results.reduce((sum, result) => sum + result.tokens, 0) };
}

async function embedBatch(
  { post, model, dimensions, limits, reportInvalidUsage, onTry }: EmbeddingCaller,
  timeoutMs: number,
  texts: string[],
  callerSignal: AbortSignal,
): Promise<Embeddings> {
  const deadline = startCallDeadline(callerSignal, timeoutMs);
  const { signal } = deadline.controller;
  const size = dimensions === null ? {} : { dimensions };
  const body = { model, input: texts, encoding_format: 'float', ...size };
  try {
    const response = await sendWithRetries(() => post(body, signal), limits, signal, onTry);
    const reply = await readJson(response, limits.maxResponseBytes);
    recordResponseModel(reply);
    return readEmbeddings(reply, texts, reportInvalidUsage);
  } catch (error) {
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}
