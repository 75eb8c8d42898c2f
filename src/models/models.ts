import type { Language } from '../text/detect-language.ts';
import type { OutageState } from './availability/outage-breaker.ts';
import type { SimilarityScale } from './embedding/similarity-scale.ts';
import type { PromptMessage } from './prompt/prompt-message.ts';

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
  /** The model that this object only observes. Vectors are cached for that model. */
  readonly observed?: EmbeddingModel;
  /**
   * Whether the model runs in this process. It then takes only milliseconds per text, so a search can embed sentences.
   */
  readonly isInProcess?: boolean;
  /** Whether a search embeds sentences with this model although the model runs on a server. */
  readonly comparesSentences?: boolean;
  /** State of the calls for documents. Undefined for a model without a circuit breaker. */
  readonly documents?: OutageState;
  /**
   * Returns the scale that converts the model's cosines to those of the built-in model. Absent if they need no
   * conversion.
   */
  similarityScale?(): Promise<SimilarityScale>;
  /**
   * Whether the model server has this model. True if the server does not list its models. Absent without a model server.
   *
   * @throws DomainError MODEL_ERROR when the server does not respond.
   */
  isOnServer?(signal: AbortSignal): Promise<boolean>;
  /**
   * Embeds texts as unit vectors, in the order of `texts`. The implementation handles batching, retries and timeouts.
   *
   * @throws DomainError MODEL_ERROR when the model cannot be reached or its response is invalid.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /**
   * If all texts wait in one queue, texts of the kind `query` go before those of the kind `document`. Default:
   * `document`.
   */
  readonly kind?: 'query' | 'document';
  /**
   * Selects the prefix for models that embed queries and documents differently. By default, the role is the same as
   * `kind`.
   */
  readonly role?: 'query' | 'document';
  /** Called before each request to the model server. */
  readonly onTry?: OnTry;
}

/** Is called before each request to a model server: more than once if a call is retried. */
export type OnTry = () => void;

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** Number of tokens that the model read, for usage statistics. */
  readonly tokens: number;
  /** How well the model's vocabulary covers the words of each text, from 0 to 1. Undefined if unknown. */
  readonly vocabularyCoverage?: readonly number[];
}

/**
 * Scores how well a text answers a query. Like a cross-encoder, it reads query and text together. This is slower than
 * comparing vectors, but more accurate.
 */
export interface Reranker {
  readonly name: string;
  /**
   * Scores each text. Returns null if the reranker is currently unavailable.
   *
   * @throws the signal's reason when `signal` aborts.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<Reranking | null>;
}

export interface Reranking {
  /** One score from 0 to 1 for each text, in the order of the texts. */
  readonly scores: readonly number[];
  /** What the server bills: tokens, or searches if it counts those. 0 if it does not report it. */
  readonly tokens: number;
}

/**
 * Reads a question together with the texts of a passage, like a cross-encoder, and scores each text. This is slower
 * than comparing vectors, but more accurate.
 */
export interface AnswerReader {
  /**
   * Returns a score for each text of each passage. The score is part of the log-odds that the text answers the
   * question: the part that the similarity of the embeddings does not predict. Returns null if the reader is
   * unavailable.
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
  /**
   * Whether the model can only quote sentences of the sources. The quotes of such a model are off topic if the sources
   * are.
   */
  readonly isExtractive?: boolean;
  /** How much context the model receives. Undefined means the default. */
  readonly contextLimits?: ContextLimits;
  /** Parameters of the model's requests. Undefined if the model has no parameters. */
  readonly options?: ChatOptions;
  /** Returns the same model with other settings. Absent if the model has no settings. */
  configure?(settings: ChatModelSettings): ChatModel;
  /**
   * Whether the model server has a model with this name. True if the server does not list its models. Absent without a
   * model server.
   *
   * @throws DomainError MODEL_ERROR when the server does not respond.
   */
  hasModel?(name: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Rewrites a follow-up question so that it can be searched without the conversation, and translates the question into
   * `language`. A model that cannot translate ignores the language.
   */
  rewriteQuestion(
    request: RewriteRequest,
    signal: AbortSignal,
    onTry?: OnTry,
  ): Promise<RewrittenQuestion>;
  /**
   * Writes a reply to small talk, such as a greeting, without sources. Absent if the model can only quote.
   *
   * @throws DomainError MODEL_ERROR when the model fails or takes too long.
   */
  wordReply?(request: ReplyRequest, signal: AbortSignal, onTry?: OnTry): Promise<WordedReply>;
  /**
   * Replies to a prompt with a short text. Absent if the model can only quote.
   *
   * @throws DomainError MODEL_ERROR when the model fails or takes too long.
   */
  complete?(messages: readonly PromptMessage[], signal: AbortSignal): Promise<WordedReply>;
  /**
   * Reads the sources and says how well they answer the question. Returns null if the model cannot read them. If
   * `answer` gets the same request object, it does not read them again. Absent for a model whose answer itself says that
   * it does not know.
   */
  read?(request: AnswerRequest, signal: AbortSignal): Promise<SourceReading | null>;
  /**
   * Streams an answer that is based only on `sources`. Inline markers `[n]` in the answer refer to `sources[n - 1]`.
   * Ends without an error only if the model reported that its answer is complete. Cancels the call when `signal`
   * aborts.
   *
   * @throws DomainError MODEL_ERROR when the model fails or stops early.
   */
  answer(request: AnswerRequest, signal: AbortSignal, onTry?: OnTry): AsyncGenerator<AnswerPart>;
}

export interface ContextLimits {
  readonly maxChunks: number;
  /** Maximum number of estimated tokens of all context chunks together. */
  readonly maxTokens: number;
  /** Maximum number of these tokens that are added to complete sections, of which the search found a part. */
  readonly maxSectionTokens: number;
}

/** Parameters of requests to a chat model. If a parameter is null, it is not sent, and the server decides. */
export interface ChatOptions {
  readonly temperature: number | null;
  /** Such as `low`. The value is sent unchanged, because servers accept different values. */
  readonly reasoningEffort: string | null;
  readonly maxOutputTokens: number | null;
}

export interface ChatModelSettings {
  /** Name of another model of the same server. Absent: the same model. */
  readonly model?: string;
  readonly options: ChatOptions;
  readonly contextLimits: ContextLimits;
}

export interface HistoryMessage {
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT';
  readonly content: string;
  /** Only for answers: the heading path or document name of the first passage that the answer cites. */
  readonly citedHeading?: string;
  /** Only for answers: the document of this passage. */
  readonly citedDocumentId?: string;
}

export interface RewriteRequest {
  readonly history: readonly HistoryMessage[];
  readonly question: string;
  /** Language of the documents. Null or undefined: the question keeps its language. */
  readonly language?: Language | null;
  /** Weekday, date and time zone, such as `Sunday, 29 November 2026 (Europe/Berlin)`. Undefined if unknown. */
  readonly today?: string;
}

export interface RewrittenQuestion {
  readonly query: string;
  readonly usage: TokenUsage;
}

export interface ReplyRequest {
  /** Instructions that the owner of the project wrote, or null. */
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
   * Query for retrieval: a standalone question without polite phrases and misspelled words. Default: `question`, which
   * the model rewrites if it is a follow-up.
   */
  readonly query?: string;
  /** Instructions that the owner of the project wrote, or null. */
  readonly instructions: string | null;
  readonly sources: readonly Source[];
}

/** How well the sources of a request answer its question. */
export interface SourceReading {
  /** Log-odds that one of the sources answers the question. Null if no reader knows their language. */
  readonly answerability: number | null;
  /** Share of the question's content words that the best text contains, 0 to 1. Null without a text. */
  readonly wordShare: number | null;
}

/** A context chunk that the model receives. All fields are untrusted data. */
export interface Source {
  /** Distinguishes documents with the same name. Models do not receive it. Undefined if only the name is known. */
  readonly documentId?: string;
  readonly documentName: string;
  /** Location in the document, such as the heading path. May be empty. */
  readonly context: string;
  readonly content: string;
  /** Offset in the document at which the chunk starts. Undefined if unknown. */
  readonly startOffset?: number;
  /** Relevance in the search, 0 to 1. Undefined if unknown. */
  readonly score?: number;
  /** The blocks of the content (`readBlockSpans`). Null or absent if they are not known. */
  readonly blocks?: string | null;
}

export type AnswerPart =
  /** `isLead`: the text comes before the answer, is about the answer, and states nothing about the sources. */
  | { readonly type: 'text'; readonly text: string; readonly isLead?: true }
  /**
   * The model does not answer, because the sources do not contain the answer or the model rejects the question. If
   * there are text parts, they contain the refusal.
   */
  | { readonly type: 'refusal' }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  /** Replaces an earlier usage. `isProvisional`: usage up to now, sent as soon as the model starts to answer. */
  | { readonly type: 'usage'; readonly usage: TokenUsage; readonly isProvisional?: true };

/** Reason why a model stopped. `LENGTH`: the model reached its output limit, so the answer is cut off. */
export type FinishReason = 'STOP' | 'LENGTH';

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
