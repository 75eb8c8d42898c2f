/** Limits for the time and size of a call to a model server. All times are in milliseconds. */
export interface OpenAiLimits {
  /**
   * Maximum time for a complete answer, including waits and retries. Local servers are silent while they process the
   * prompt, and models while they reason, so silence alone is no failure.
   */
  readonly answerTimeoutMs: number;
  /** Maximum time to rewrite a question. After a timeout, the built-in rewrite is used. */
  readonly rewriteTimeoutMs: number;
  /**
   * Maximum time to translate a question that is not a follow-up. After a timeout, search uses the untranslated
   * question.
   */
  readonly translationTimeoutMs: number;
  /** Maximum time to write a reply to small talk. After a timeout, the built-in text is used. */
  readonly replyTimeoutMs: number;
  /** Maximum time to reply to another prompt with a short text, including waits and retries. */
  readonly completionTimeoutMs: number;
  /** Maximum time for one embedding request, including waits and retries. */
  readonly embeddingTimeoutMs: number;
  /** Maximum time to embed one query, including waits and retries. After a timeout, search uses only full text. */
  readonly queryTimeoutMs: number;
  /** Maximum time to embed a question and the passages that may answer it, including waits and retries. */
  readonly passagesTimeoutMs: number;
  /** Maximum time for one request to a reranker. Search waits for the result, but also works without it. */
  readonly rerankTimeoutMs: number;
  /** Maximum number of requests for one call, including the first one. */
  readonly maxAttempts: number;
  /** Delay before the first retry. It doubles with each retry. Each delay is reduced at random by up to a quarter. */
  readonly initialRetryDelayMs: number;
  /** Longest `Retry-After` that is accepted. If the server asks for a longer wait, the call fails. */
  readonly maxRetryDelayMs: number;
  /** Maximum bytes of one response body. */
  readonly maxResponseBytes: number;
  /** Maximum UTF-16 units of one answer. */
  readonly maxAnswerLength: number;
}

export const defaultOpenAiLimits: OpenAiLimits = {
  answerTimeoutMs: 180_000,
  rewriteTimeoutMs: 6_000,
  translationTimeoutMs: 4_000,
  replyTimeoutMs: 8_000,
  completionTimeoutMs: 60_000,
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
