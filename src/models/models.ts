import type { Language } from '../text/detect-language.ts';
import type { OutageState } from './availability/outage-breaker.ts';
import type { SimilarityScale } from './embedding/similarity-scale.ts';

/** The configured chat and embedding models, from any provider. */
export interface Models {
  readonly embedding: EmbeddingModel;
  readonly chat: ChatModel;
}

export interface EmbeddingModel {
  /**
   * Name that is stored with every vector, such as `built-in/all-MiniLM-L6-v2`. Vectors of different models are never
   * compared.
   */
  readonly name: string;
  /**
   * True if the model runs in this process and takes only milliseconds per text, so that a search can embed sentences.
   */
  readonly isInProcess?: boolean;
  /** True if a search embeds sentences with this model although it runs on a server. */
  readonly comparesSentences?: boolean;
  /** The calls for documents. Undefined for a model without a circuit breaker. */
  readonly documents?: OutageState;
  /** Returns the scale between its cosines and those of the built-in model. Absent: they are alike. */
  similarityScale?(): Promise<SimilarityScale>;
  /**
   * Embeds texts as unit vectors, in the order of `texts`. The adapter handles batching, retries and timeouts.
   *
   * @throws DomainError MODEL_ERROR when the model cannot be reached or its response is invalid.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** If all texts wait in one queue, `query` has priority over `document`. `document` by default. */
  readonly kind?: 'query' | 'document';
  /** Selects the prefix for models that embed queries and documents differently. The same as `kind` by default. */
  readonly role?: 'query' | 'document';
}

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** Number of tokens that the model read, for usage statistics. */
  readonly tokens: number;
  /** How well the model's vocabulary covers the words of each text, 0 to 1. Undefined if unknown. */
  readonly vocabularyCoverage?: readonly number[];
}

/**
 * Scores how well a text answers a query. Reads both together, as a cross-encoder does, which is slower but more
 * accurate than comparing vectors.
 */
export interface Reranker {
  readonly name: string;
  /**
   * Returns a score from 0 to 1 for each text, in the order of `texts`. Returns null if the reranker is currently
   * unavailable.
   *
   * @throws the signal's reason when `signal` aborts.
   */
  score(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[] | null>;
}

/**
 * Reads a question together with the texts of a passage, as a cross-encoder does, and scores each text. Slower but more
 * accurate than comparing vectors.
 */
export interface AnswerReader {
  /**
   * Returns a score for each text of each passage: log-odds that it answers the question, beyond what the similarity of
   * the embeddings predicts. Returns null if the reader is unavailable.
   *
   * @throws the signal's reason when `signal` aborts.
   */
  read(
    question: string,
    passages: readonly (readonly string[])[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[] | null>;
}

export interface ChatModel {
  readonly name: string;
  /** True if the model can only quote sentences of the sources. Off-topic sources would then end up in the answer. */
  readonly isExtractive?: boolean;
  /** How much context the model receives. Undefined for the default. */
  readonly contextLimits?: ContextLimits;
  /** Parameters of its requests. Undefined if the model has none. */
  readonly options?: ChatOptions;
  /** Returns the same model with other settings. Absent if the model has none. */
  configure?(settings: ChatModelSettings): ChatModel;
  /**
   * Rewrites a follow-up question so that it can be searched without the conversation, and translates a question into
   * `language`. A model that cannot translate ignores the language.
   */
  rewriteQuestion(request: RewriteRequest, signal: AbortSignal): Promise<RewrittenQuestion>;
  /**
   * Words a reply to small talk, such as a greeting, without sources. Absent if the model cannot write texts of its
   * own.
   *
   * @throws DomainError MODEL_ERROR when the model fails or takes too long.
   */
  wordReply?(request: ReplyRequest, signal: AbortSignal): Promise<WordedReply>;
  /**
   * Reads the sources and returns the log-odds that one of them answers the question. Null if the model did not read them.
   * `answer` with the same request object does not read them again. Absent if the model itself answers that it does
   * not know.
   */
  answerability?(request: AnswerRequest, signal: AbortSignal): Promise<number | null>;
  /**
   * Streams an answer based only on `sources`, with inline markers `[n]` that refer to `sources[n - 1]`. Ends without
   * an error only if the model reported that its answer is complete. Cancels the call when `signal` aborts.
   *
   * @throws DomainError MODEL_ERROR when the model fails or stops early.
   */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncGenerator<AnswerPart>;
}

export interface ContextLimits {
  readonly maxChunks: number;
  /** Maximum estimated tokens of all context chunks. */
  readonly maxTokens: number;
}

/** Parameters of requests to a chat model. Null leaves a parameter out, so that the server decides. */
export interface ChatOptions {
  readonly temperature: number | null;
  /** Such as `low`. Passed on unchanged, because servers know different values. */
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
}

export interface ChatModelSettings {
  readonly options: ChatOptions;
  readonly contextLimits: ContextLimits;
}

export interface HistoryMessage {
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT';
  readonly content: string;
  /** For an answer: the heading path or the document name of the passage that it cites first. */
  readonly citedHeading?: string;
}

export interface RewriteRequest {
  readonly history: readonly HistoryMessage[];
  readonly question: string;
  /** Language of the documents. Null or undefined keeps the language of the question. */
  readonly language?: Language | null;
}

export interface RewrittenQuestion {
  readonly query: string;
  readonly usage: TokenUsage;
}

export interface ReplyRequest {
  /** Instructions that the project's owner wrote, or null. */
  readonly instructions: string | null;
  readonly message: string;
  /** The meaning that the reply must have. */
  readonly meaning: string;
}

export interface WordedReply {
  readonly text: string;
  readonly usage: TokenUsage;
}

export interface AnswerRequest extends RewriteRequest {
  /**
   * The query of the retrieval: a standalone question without polite phrases and misspelled words. By default
   * the question, rewritten by the model if it is a follow-up.
   */
  readonly query?: string;
  /** Instructions that the project's owner wrote, or null. */
  readonly instructions: string | null;
  readonly sources: readonly Source[];
}

/** A context chunk that is given to the model. All fields are untrusted data. */
export interface Source {
  /** Undefined if only the name is known. Distinguishes documents of one name, and is not given to a model. */
  readonly documentId?: string;
  readonly documentName: string;
  /** Location in the document, such as the heading path. May be empty. */
  readonly context: string;
  readonly content: string;
  /** Where it starts in its document. Undefined if unknown. */
  readonly startOffset?: number;
}

export type AnswerPart =
  /** `isLead`: words about the answer, before it, that state nothing about the sources. */
  | { readonly type: 'text'; readonly text: string; readonly isLead?: true }
  /**
   * The model does not answer: the sources do not contain the answer, or it rejects the question. The text of the
   * answer says so, or there is no text.
   */
  | { readonly type: 'refusal' }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  /** Replaces an earlier usage. `isProvisional`: the usage so far, sent as soon as the model starts to answer. */
  | { readonly type: 'usage'; readonly usage: TokenUsage; readonly isProvisional?: true };

/** Why a model stopped. `LENGTH`: it reached its output limit, so the answer is cut off. */
export type FinishReason = 'STOP' | 'LENGTH';

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
