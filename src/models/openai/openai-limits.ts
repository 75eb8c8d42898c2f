/** Time and size limits of a call to a model server. All times are in milliseconds. */
export interface OpenAiLimits {
  /**
   * Maximum time from sending a chat request to receiving the response headers. Local servers process the whole prompt
   * before they send the headers.
   */
  readonly headersTimeoutMs: number;
  /** Maximum time without data in a stream. Keep-alive comments count as data. */
  readonly idleTimeoutMs: number;
  /** Maximum time for a complete answer, including waits and retries. */
  readonly answerTimeoutMs: number;
  /** Maximum time to rewrite a question. After a timeout, the built-in rewrite is used. */
  readonly rewriteTimeoutMs: number;
  /** Maximum time to translate a question that is no follow-up. After a timeout, the question is searched as it is. */
  readonly translationTimeoutMs: number;
  /** Maximum time to word a reply to small talk. After a timeout, the built-in text is used. */
  readonly replyTimeoutMs: number;
  /** Maximum time for one embedding request, including waits and retries. */
  readonly embeddingTimeoutMs: number;
  /** Maximum time to embed one query, including waits and retries. A search then uses full text only. */
  readonly queryTimeoutMs: number;
  /** Maximum time to embed a question with the passages that may answer it, including waits and retries. */
  readonly passagesTimeoutMs: number;
  /** Maximum time for one request to a reranker. A search waits for the result, but also works without it. */
  readonly rerankTimeoutMs: number;
  /** Maximum number of requests for one call, including the first. */
  readonly maxAttempts: number;
  /** Delay before the first retry. Doubles with each retry and is reduced by up to a quarter at random. */
  readonly initialRetryDelayMs: number;
  /** Longest accepted `Retry-After`. If the server asks for a longer wait, the call fails. */
  readonly maxRetryDelayMs: number;
  /** Maximum bytes of one response body. */
  readonly maxResponseBytes: number;
  /** Maximum UTF-16 units of one answer. */
  readonly maxAnswerLength: number;
}

export const defaultOpenAiLimits: OpenAiLimits = {
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 30_000,
  answerTimeoutMs: 180_000,
  rewriteTimeoutMs: 6_000,
  translationTimeoutMs: 4_000,
  replyTimeoutMs: 8_000,
  embeddingTimeoutMs: 120_000,
  queryTimeoutMs: 2_000,
  passagesTimeoutMs: 10_000,
  rerankTimeoutMs: 5_000,
  maxAttempts: 3,
  initialRetryDelayMs: 500,
  maxRetryDelayMs: 20_000,
  maxResponseBytes: 32_000_000,
  maxAnswerLength: 32_000,
};
