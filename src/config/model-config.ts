import type { Settings } from './settings.ts';

export interface OpenAiConfig {
  /** URL of the server's API without a trailing slash, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Name of the chat model. Null: the built-in chat model. */
  readonly chatModel: string | null;
  /** Name of the embedding model. Null: the built-in embedding model. */
  readonly embeddingModel: string | null;
}

/** Settings of the model server's embedding model. Null: the default of the model. */
export interface EmbeddingConfig {
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  readonly dimensions: number | null;
  /** Whether each search also embeds the sentences of the best chunks. This takes one more request. */
  readonly comparesSentences: boolean;
}

/** Settings of the language model. */
export interface ChatConfig {
  /** Null: requests do not contain the parameter. */
  readonly temperature: number | null;
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
  readonly timeoutMs: number;
  /** Maximum number of context chunks. `maxContextTokens` limits their tokens, also with the sections they are completed to. */
  readonly maxContextChunks: number;
  readonly maxContextTokens: number;
  readonly maxSectionTokens: number;
}

export interface RerankConfig {
  /** URL of the server without a trailing slash. Requests go to `/rerank` below this URL. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
}

export function openAiConfig(value: Settings): OpenAiConfig | null {
  if (!value.OPENAI_API_KEY && !value.OPENAI_BASE_URL) return null;
  const hasOnlyApiKey = !value.OPENAI_BASE_URL && !value.CHAT_MODEL && !value.EMBEDDING_MODEL;
  return Object.freeze({
    baseUrl: value.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey: value.OPENAI_API_KEY ?? null,
    chatModel: value.CHAT_MODEL ?? (hasOnlyApiKey ? 'gpt-5.4-mini' : null),
    embeddingModel: value.EMBEDDING_MODEL ?? (hasOnlyApiKey ? 'text-embedding-3-small' : null),
  });
}

export function embeddingConfig(value: Settings): EmbeddingConfig {
  return Object.freeze({
    queryPrefix: value.EMBEDDING_QUERY_PREFIX ?? null,
    documentPrefix: value.EMBEDDING_DOCUMENT_PREFIX ?? null,
    dimensions: value.EMBEDDING_DIMENSIONS ?? null,
    comparesSentences: value.EMBEDDING_COMPARE_SENTENCES,
  });
}

export function chatConfig(value: Settings): ChatConfig {
  return Object.freeze({
    temperature: value.CHAT_TEMPERATURE ?? null,
    reasoningEffort: value.CHAT_REASONING_EFFORT ?? null,
    maxOutputTokens: value.CHAT_MAX_OUTPUT_TOKENS ?? null,
    timeoutMs: value.CHAT_TIMEOUT_SECONDS * 1_000,
    maxContextChunks: value.CHAT_CONTEXT_CHUNKS,
    maxContextTokens: value.CHAT_CONTEXT_TOKENS,
    maxSectionTokens: value.CHAT_SECTION_TOKENS,
  });
}

export function rerankConfig(value: Settings): RerankConfig | null {
  if (!value.RERANK_MODEL || !value.RERANK_BASE_URL) return null;
  return Object.freeze({
    baseUrl: value.RERANK_BASE_URL,
    apiKey: value.RERANK_API_KEY ?? null,
    model: value.RERANK_MODEL,
  });
}
