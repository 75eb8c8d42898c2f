import type { ActivityBoard } from './activity-board.ts';

/** Kinds of project data that a subscription can observe. `activity` is what people do in a conversation. */
export type Topic = 'inbox' | 'conversations' | 'documents' | 'activity';

export interface SubscriptionTarget {
  readonly topic: Topic;
  readonly projectId: string;
  /**
   * Id of the only conversation or document to observe. If null or missing, the subscription covers all rows of the
   * project.
   */
  readonly id?: string | null;
  /** In place of `id`: ids of the rows to observe. The caller may add to them while the subscription is open. */
  readonly ids?: ReadonlySet<string>;
  /** Whether `next` also returns, with an empty set, when the activity in an observed conversation changes. */
  readonly includesActivity?: boolean;
}

/**
 * Notifies subscriptions in every process of committed changes. A notification contains ids only; subscribers read the
 * changed rows. Database triggers send the notifications, so code that writes rows needs no extra call.
 */
export interface EventBus {
  /**
   * Starts to collect notifications, until the subscription is closed or `signal` aborts. `next` also returns when one
   * of `principals`, such as `key:<id>`, may have lost access.
   * @throws DomainError UNAVAILABLE when the service is stopping.
   */
  subscribe(
    target: SubscriptionTarget,
    signal: AbortSignal,
    principals?: readonly string[],
  ): Subscription;
  /** Notifies `listener` when one of the principals may have lost access. Returns a function that stops it. */
  watchAccess(principals: readonly string[], listener: AccessListener): () => void;
  /** Current activities of people in conversations, in every process. */
  readonly activity: Pick<ActivityBoard, 'list'>;
  /** Number of open subscriptions in this process. */
  readonly subscriptionCount: number;
  /** Fails every open subscription of this process with UNAVAILABLE. */
  stop(): Promise<void>;
}

/** An open stream whose access must be checked again. */
export interface AccessListener {
  recheckAccess(): void;
}

export interface Subscription {
  /**
   * Waits for changes since the previous call. Returns an empty set after 30 s without changes, or at once if access
   * may have been lost, so that callers can check permissions again, and when an activity changes. Returns null when the subscription is closed or
   * the caller has disconnected.
   * @throws DomainError UNAVAILABLE when the service stops.
   */
  next(): Promise<ChangedIds | null>;
  close(): void;
}

/**
 * Ids of changed conversations, documents or handoffs. `any` means that any row may have changed: the database
 * connection was lost for a while, or more ids changed than a subscription stores.
 */
export type ChangedIds = ReadonlySet<string> | 'any';
