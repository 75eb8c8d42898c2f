/**
 * Records metrics of the domain code. Calls are cheap and never throw. Label values come from small, fixed sets and
 * never contain ids or user texts.
 */
export interface Metrics {
  /** Records one finished ingestion attempt. */
  recordIngestion(outcome: IngestionOutcome, seconds: number): void;
  recordModelCall(call: ModelCall): void;
  /** Records the time from the model call to the first text of the answer. */
  recordTimeToFirstToken(model: string, seconds: number): void;
  /** Records an answer that was refused because too many were starting. */
  recordRefusedAnswer(): void;
  /** Records one search by where chunks were ranked. */
  recordSearch(place: SearchPlace): void;
  /** Records that a project's search index was loaded, or that it has no room. `bytes` is the memory of all indexes. */
  recordIndexLoad(outcome: IndexLoadOutcome, bytes: number): void;
  recordIndexBytes(bytes: number): void;
  /** Records one finished run of a source. */
  recordSourceRun(outcome: SourceRunOutcome): void;
  /** Records one statement that could be answered by a read replica. */
  recordReplicaRead(result: ReplicaReadResult): void;
  /** Records how far a replica is behind. `replica` is its host and port. */
  recordReplicaLag(replica: string, seconds: number): void;
  recordTokenUsage(model: string, kind: TokenKind, count: number): void;
}

export type SearchPlace = 'MEMORY' | 'DATABASE';

/**
 * `BEHIND`: the replica had not received what the caller may see. `UNAVAILABLE`: no replica could be used. Both, and
 * `FAILED`, were answered by the primary.
 */
export type ReplicaReadResult = 'SERVED' | 'BEHIND' | 'FAILED' | 'UNAVAILABLE';

export type IndexLoadOutcome = 'LOADED' | 'REFUSED';

/** `RETRIED`: the attempt failed and will be retried. */
export type IngestionOutcome = 'READY' | 'FAILED' | 'RETRIED';

/** `FAILED`: the documents may differ from the source. */
export type SourceRunOutcome = 'SUCCEEDED' | 'FAILED';

export interface ModelCall {
  readonly operation: ModelOperation;
  readonly model: string;
  readonly outcome: ModelCallOutcome;
  readonly seconds: number;
}

export type ModelOperation = 'answer' | 'reply' | 'rewrite' | 'embed' | 'rerank';

/** `STOPPED`: the service cancelled the call because its result was no longer needed. */
export type ModelCallOutcome = 'SUCCEEDED' | 'FAILED' | 'STOPPED';

export type TokenKind = 'input' | 'output' | 'embedding';
