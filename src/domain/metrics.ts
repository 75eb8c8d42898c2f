/**
 * What the domain tells whoever watches the service. Calls are cheap and never throw. Labels come from small, fixed
 * sets: no ids, no texts.
 */
export interface Metrics {
  /** One try to ingest a document has ended. */
  ingestionEnded(outcome: IngestionOutcome, seconds: number): void;
  modelCallEnded(call: ModelCall): void;
  /** The first text of an answer has come from the model. */
  firstTextCame(model: string, seconds: number): void;
  tokensUsed(model: string, kind: TokenKind, count: number): void;
}

/** `RETRIED`: it failed and will be tried again. */
export type IngestionOutcome = 'READY' | 'FAILED' | 'RETRIED';

export interface ModelCall {
  readonly operation: ModelOperation;
  /** The model's name. */
  readonly model: string;
  readonly outcome: ModelOutcome;
  readonly seconds: number;
}

export type ModelOperation = 'answer' | 'rewrite' | 'embed' | 'rerank';

/** `STOPPED`: by us, because nobody waits for it any more. */
export type ModelOutcome = 'SUCCEEDED' | 'FAILED' | 'STOPPED';

export type TokenKind = 'input' | 'output' | 'embedding';
