/**
 * Records metrics of the domain code. Calls are cheap and never throw. Label values come from small, fixed sets and
 * never contain ids or user texts.
 */
export interface Metrics {
  /** Records one finished ingestion attempt. */
  recordIngestion(outcome: IngestionOutcome, seconds: number): void;
  recordModelCall(call: ModelCall): void;
  /** Records the time between the model call and the first text of the answer. */
  recordTimeToFirstToken(model: string, seconds: number): void;
  /** Records that an answer was refused because too many answers were starting. */
  recordRefusedAnswer(): void;
  /** Records one search. `place` is where the chunks were ranked. */
  recordSearch(place: SearchPlace): void;
  /**
   * Records that a project's search index was loaded, or that there was no memory for it. `bytes` is the memory of all
   * indexes.
   */
  recordIndexLoad(outcome: IndexLoadOutcome, bytes: number): void;
  recordIndexBytes(bytes: number): void;
  /** Records one finished run of a source. */
  recordSourceRun(outcome: SourceRunOutcome): void;
  /** Records the result of one statement that a read replica could answer. */
  recordReplicaRead(result: ReplicaReadResult): void;
  /** Records how many seconds a replica is behind the primary. `replica` is the host and port of the replica. */
  recordReplicaLag(replica: string, seconds: number): void;
  recordTokenUsage(model: string, kind: TokenKind, count: number): void;
}

export type SearchPlace = 'MEMORY' | 'DATABASE';

/**
 * `SERVED`: the replica answered. `BEHIND`: the replica had not yet received data that the caller may see.
 * `UNAVAILABLE`: no replica could be used. For `BEHIND`, `FAILED` and `UNAVAILABLE`, the statement is sent to the
 * primary.
 */
export type ReplicaReadResult = 'SERVED' | 'BEHIND' | 'FAILED' | 'UNAVAILABLE';

export type IndexLoadOutcome = 'LOADED' | 'REFUSED';

/** `RETRIED`: the attempt failed, and the ingestion will be retried. */
export type IngestionOutcome = 'READY' | 'FAILED' | 'RETRIED';

/** `FAILED`: the documents may differ from the content of the source. */
export type SourceRunOutcome = 'SUCCEEDED' | 'FAILED';

export interface ModelCall {
  readonly operation: ModelOperation;
  readonly model: string;
  readonly outcome: ModelCallOutcome;
  readonly seconds: number;
}

export type ModelOperation = 'answer' | 'reply' | 'rewrite' | 'complete' | 'embed' | 'rerank';

/** `STOPPED`: the service cancelled the call because its result was no longer needed. */
export type ModelCallOutcome = 'SUCCEEDED' | 'FAILED' | 'STOPPED';

export type TokenKind = 'input' | 'output' | 'embedding';
