import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { CallRecord, recordingMetrics } from '../models/availability/call-record.ts';
import type { BuiltInEmbedding } from '../models/embedding/built-in-embedding-model.ts';
import { embeddingModelWithCircuitBreaker } from '../models/embedding/embedding-circuit-breaker.ts';
import {
  type EmbeddingOverrides,
  type EmbeddingSettings,
  embeddingSettings,
  noOverrides,
  parseModelName,
  parseStoredModelName,
} from '../models/embedding/embedding-settings.ts';
import { builtInChatModel } from '../models/extractive/built-in-chat-model.ts';
import {
  instrumentedChatModel,
  instrumentedEmbeddingModel,
  instrumentedReranker,
} from '../models/instrumented-models.ts';
import { builtInProvider, type ModelProvider } from '../models/model-span.ts';
import type { ChatModel, ChatOptions, EmbeddingModel, Reranker } from '../models/models.ts';
import type { OpenAiEndpoint } from '../models/openai/openai-client.ts';
import { builtInAnswerReader } from '../models/reader/built-in-answer-reader.ts';
import { rerankerWithCircuitBreaker } from '../models/reranker/reranker-circuit-breaker.ts';
import { createServingModels, type ServingModels } from '../models/serving-models.ts';
import type { Metrics } from '../platform/metrics.ts';

interface ChatSettings extends ChatOptions {
  readonly timeoutMs: number;
  readonly maxContextChunks: number;
  readonly maxContextTokens: number;
  readonly maxSectionTokens: number;
}

export interface ModelSettings {
  readonly openAi: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly chatModel: string | null;
    readonly embeddingModel: string | null;
  } | null;
  /** Settings of the embedding model of `openAi`. Undefined: the default settings. */
  readonly embedding?: EmbeddingOverrides & { readonly comparesSentences: boolean };
  /** Settings of the language model. Undefined: the default settings. */
  readonly chat?: ChatSettings;
  readonly rerank: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly model: string;
  } | null;
  /** Whether built-in answers use the answer reader. Default true. */
  readonly isReaderOn?: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * Creates the models and measures them. If a model uses another model, that inner model has no metrics of its own: its
 * calls count as part of the outer model. The clients of model servers are loaded only if a server is configured.
 */
export async function createModels(
  settings: ModelSettings,
  builtInEmbedding: BuiltInEmbedding,
  pool: Pool,
): Promise<ServingModels> {
  const { openAi, rerank, isReaderOn = true, log } = settings;
  const calls = new CallRecord();
  const metrics = recordingMetrics(settings.metrics, calls);
  const createOpenAiEmbedding = await loadOpenAiEmbedding(settings);
  const openAiProvider: ModelProvider = { name: 'openai', host: hostOf(openAi) };
  const prepareEmbedding = (model: EmbeddingModel) => {
    const provider = model.isInProcess ? builtInProvider : openAiProvider;
    const instrumented = instrumentedEmbeddingModel(model, { metrics, provider });
    return embeddingModelWithCircuitBreaker(instrumented, { log });
  };
  const { comparesSentences: _, ...overrides } = settings.embedding ?? defaultEmbedding;
  const findByName = (name: string, parse: (name: string) => EmbeddingSettings) => {
    if (name === builtInEmbedding.name) return builtInEmbedding;
    if (name.startsWith('built-in/')) return null;
    return createOpenAiEmbedding(parse(name));
  };
  const configured =
    openAi?.embeddingModel != null
      ? createOpenAiEmbedding(embeddingSettings(openAi.embeddingModel, overrides))
      : null;
  const chat =
    openAi?.chatModel != null
      ? await createOpenAiChat({ ...openAi, model: openAi.chatModel, log }, settings.chat)
      : builtInChatModel({
          embedding: builtInEmbedding,
          reader: isReaderOn ? builtInAnswerReader({ model: builtInEmbedding, log }) : undefined,
        });
  return createServingModels({
    configured: {
      embedding: prepareEmbedding(configured ?? builtInEmbedding),
      chat: instrumentedChatModel(chat, {
        metrics,
        provider: chat.isExtractive ? builtInProvider : openAiProvider,
      }),
    },
    reranker: await createReranker({ ...settings, metrics }),
    calls,
    hosts: { openAi: hostOf(openAi), rerank: hostOf(rerank) },
    findByName: (name) => {
      const model = findByName(name, (name) => parseStoredModelName(name, overrides));
      return model && prepareEmbedding(model);
    },
    findToTry: (name) => {
      const model = findByName(name, parseModelName);
      // Callers choose the name, so it must not become a label of the metrics.
      return model && { ...prepareEmbedding({ ...model, name: 'candidate' }), name: model.name };
    },
    pool,
    log,
  });
}

function hostOf(server: { readonly baseUrl: string } | null): string | null {
  return server && new URL(server.baseUrl).host;
}

const defaultEmbedding = { ...noOverrides, comparesSentences: false };

/** Returns a function that creates an embedding model of the model server, or null if no server is configured. */
async function loadOpenAiEmbedding({
  openAi,
  embedding = defaultEmbedding,
  log,
}: ModelSettings): Promise<(model: EmbeddingSettings) => EmbeddingModel | null> {
  if (openAi === null) return () => null;
  const { openAiEmbeddingModel } = await import('../models/openai/openai-embedding-model.ts');
  const { comparesSentences } = embedding;
  return (model) => openAiEmbeddingModel({ ...openAi, ...model, comparesSentences, log });
}

async function createOpenAiChat(
  server: OpenAiEndpoint,
  chat: ChatSettings | undefined,
): Promise<ChatModel> {
  const { openAiChatModel } = await import('../models/openai/openai-chat-model.ts');
  if (chat === undefined) return openAiChatModel(server);
  const { temperature, reasoningEffort, maxOutputTokens } = chat;
  return openAiChatModel({
    ...server,
    limits: { answerTimeoutMs: chat.timeoutMs },
    chatOptions: { temperature, reasoningEffort, maxOutputTokens },
    contextLimits: {
      maxChunks: chat.maxContextChunks,
      maxTokens: chat.maxContextTokens,
      maxSectionTokens: chat.maxSectionTokens,
    },
  });
}

async function createReranker({ rerank, metrics, log }: ModelSettings): Promise<Reranker | null> {
  if (rerank === null) return null;
  const { httpReranker } = await import('../models/reranker/http-reranker.ts');
  const provider: ModelProvider = { name: 'rerank', host: hostOf(rerank) };
  const instrumented = instrumentedReranker(httpReranker(rerank), { metrics, provider });
  return rerankerWithCircuitBreaker(instrumented, { log });
}
