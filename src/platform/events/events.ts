import type { ActivityBoard } from './activity-board.ts';

/**
 * Kinds of project data that a subscription can observe. `activity` means that people type or view in a conversation.
 */
export type Topic = 'inbox' | 'conversations' | 'documents' | 'activity';

export interface SubscriptionTarget {
  readonly topic: Topic;
  readonly projectId: string;
  /**
   * Id of the single conversation or document to observe. If null or missing, the subscription observes all rows of the
   * project.
   */
  readonly id?: string | null;
  /** Ids of the rows to observe, instead of `id`. The caller may add ids while the subscription is open. */
  readonly ids?: ReadonlySet<string>;
  /** If true, `next` also returns when the activity in an observed conversation changes. The set is then empty. */
  readonly includesActivity?: boolean;
}

/**
 * Notifies subscriptions in every process when changes are committed. A notification contains only ids, and subscribers
 * read the changed rows. Database triggers send the notifications, so code that writes rows does not have to send them.
 */
export interface EventBus {
  /**
   * Starts to collect notifications, until the subscription is closed or `signal` aborts. `next` also returns when one
   * of the `principals`, such as `key:<id>`, may have lost access.
   * @throws DomainError UNAVAILABLE when the service is stopping.
   */
  subscribe(
    target: SubscriptionTarget,
    signal: AbortSignal,
    principals?: readonly string[],
  ): Subscription;
  /** Notifies `listener` when one of the principals may have lost access. Call the returned function to stop this. */
  watchAccess(principals: readonly string[], listener: AccessListener): () => void;
  /** Current activities of people in conversations. Contains the activities that all processes have signalled. */
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
   * Waits for changes since the previous call. Returns an empty set after 30 s without changes, so that callers can
   * check permissions again. Also returns an empty set at once if access may have been lost, or if an activity changes.
   * Returns null when the subscription is closed or the caller has disconnected.
   * @throws DomainError UNAVAILABLE when the service stops.
   */
  next(): Promise<ChangedIds | null>;
  close(): void;
}

/**
 * Ids of changed conversations, documents or handoffs. `any` means that any row may have changed. This is returned
 * after the database connection was lost, or if more ids changed than a subscription stores.
 */
export type ChangedIds = ReadonlySet<string> | 'any';
