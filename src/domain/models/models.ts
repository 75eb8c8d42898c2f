/** The models the service needs, whoever provides them. */
export interface Models {
  readonly embedding: EmbeddingModel;
  readonly chat: ChatModel;
}

export interface EmbeddingModel {
  /** Recorded with every vector, such as `built-in/all-MiniLM-L6-v2`. Vectors of two names are never compared. */
  readonly name: string;
  /** A text costs milliseconds of this machine and nothing else, so that a search may compare sentences. */
  readonly isInProcess?: boolean;
  /**
   * Embeds texts in order, as unit vectors. Batching, retries and time-outs are the adapter's.
   * Throws `DomainError` `MODEL_ERROR` when the model cannot be reached or answers nonsense.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** `query` goes ahead of `document` where the model has one queue for both. Default `document`. */
  readonly kind?: 'query' | 'document';
}

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** Tokens the model counted, for usage. */
  readonly tokens: number;
  /** How well the model knows the words of each text, 0 to 1; left out where it is not known. */
  readonly familiarity?: readonly number[];
}

/** Reads a query together with each text, as a cross-encoder does: slower than comparing vectors, and closer. */
export interface Reranker {
  readonly name: string;
  /**
   * How well each text answers the query, 0 to 1, in the order of `texts`; null where that cannot be told now.
   * Throws when `signal` aborts.
   */
  score(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[] | null>;
}

export interface ChatModel {
  readonly name: string;
  /** Its answers are sentences of the sources, so that a source that is beside the point gets into them. */
  readonly isExtractive?: boolean;
  /** Turns a follow-up into a question that can be searched on its own. */
  rewriteQuestion(request: RewriteRequest, signal: AbortSignal): Promise<RewrittenQuestion>;
  /**
   * Streams an answer that uses nothing but `sources`, with inline markers `[n]`: source n is `sources[n - 1]`.
   * Ends normally only when the model said that it finished; otherwise throws `DomainError` `MODEL_ERROR`.
   * Stops all work when `signal` aborts.
   */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncGenerator<AnswerPart>;
}

export interface Turn {
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT';
  readonly content: string;
}

export interface RewriteRequest {
  readonly history: readonly Turn[];
  readonly question: string;
}

export interface RewrittenQuestion {
  readonly query: string;
  readonly usage: TokenUsage;
}

export interface AnswerRequest extends RewriteRequest {
  /** What the project's owner tells the assistant, or null. */
  readonly instructions: string | null;
  readonly sources: readonly Source[];
}

/** A chunk given to the model as ground for its answer. All of it is untrusted data. */
export interface Source {
  readonly documentName: string;
  /** Where in the document the chunk stands, such as its heading path; may be empty. */
  readonly context: string;
  readonly content: string;
}

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage };

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
