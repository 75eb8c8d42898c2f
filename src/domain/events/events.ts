/** What of a project can be watched. */
export type Topic = 'inbox' | 'conversations' | 'documents';

export interface WatchedPlace {
  readonly topic: Topic;
  readonly projectId: string;
  /** One conversation or document of the project alone. */
  readonly id?: string | null;
}

/**
 * Tells watchers on every node, once a change has committed, that there is something to look at. An event is a hint
 * to look again, not the data. Who writes need do nothing: triggers of the tables send the hints.
 */
export interface Events {
  /** Collects hints from this moment on, until it is closed or `signal` aborts. Throws `UNAVAILABLE` at the end. */
  watch(place: WatchedPlace, signal: AbortSignal): Watch;
  /** How many watches of this node are open. */
  readonly watchCount: number;
  /** Ends every watch with `UNAVAILABLE`. */
  stop(): Promise<void>;
}

export interface Watch {
  /**
   * What may have changed since the last call; waits for it, but half a minute at most, after which nothing has.
   * Null once the watch is closed or its caller has left. Throws `UNAVAILABLE` when the service ends it.
   */
  next(): Promise<Changes | null>;
  close(): void;
}

/** The ids of conversations, documents or handoffs; `any` after a break, or when they are too many to be remembered. */
export type Changes = ReadonlySet<string> | 'any';
