/** How long and how much a call to a model server may take. All times in milliseconds. */
export interface OpenAiLimits {
  /** From sending a chat request to the response's headers; local servers read the prompt before these. */
  readonly connectMs: number;
  /** The longest silence inside a stream. Comments a server sends to stay connected count as life. */
  readonly idleMs: number;
  /** A whole answer, waits and retries included. */
  readonly answerMs: number;
  /** A whole rewrite of a question: the raw question is at hand when it takes too long. */
  readonly rewriteMs: number;
  /** One embedding request, waits and retries included. */
  readonly embeddingMs: number;
  /** One request to a reranker: a search waits for it, and can do without. */
  readonly rerankMs: number;
  /** Requests sent at most for one call, the first included. */
  readonly tries: number;
  /** First wait between tries; doubles, with up to a quarter less at random. */
  readonly firstWaitMs: number;
  /** A server that asks for a longer wait than this is not waited for. */
  readonly maxWaitMs: number;
  /** Bytes of one response body. */
  readonly maxResponseBytes: number;
  /** UTF-16 units of one answer. */
  readonly maxAnswerLength: number;
}

export const defaultOpenAiLimits: OpenAiLimits = {
  connectMs: 60_000,
  idleMs: 30_000,
  answerMs: 180_000,
  rewriteMs: 15_000,
  embeddingMs: 120_000,
  rerankMs: 5_000,
  tries: 3,
  firstWaitMs: 500,
  maxWaitMs: 20_000,
  maxResponseBytes: 32_000_000,
  maxAnswerLength: 32_000,
};
