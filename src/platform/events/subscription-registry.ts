import { type DomainError, serviceAbortReason, serviceStoppingError } from '../errors.ts';
import type { AccessRegistry } from './access-registry.ts';
import type { ConversationTarget } from './activity-board.ts';
import type {
  AccessListener,
  ChangedIds,
  EventBus,
  Subscription,
  SubscriptionTarget,
} from './events.ts';
import { createGradualNotifier } from './notify-gradually.ts';

/** Open subscriptions of this process. */
export interface SubscriptionRegistry {
  readonly count: number;
  readonly subscribe: EventBus['subscribe'];
  /**
   * Notifies the subscriptions that observe this target. A null id means that any row of the project may have changed.
   */
  notify(target: ChangeTarget): void;
  /** Wakes the subscriptions that observe the activity in this conversation. */
  wakeForActivity(target: ConversationTarget): void;
  /** Notifies all subscriptions that any row may have changed. Takes at most four seconds. */
  notifyAll(): void;
  /** Ends all subscriptions with an error and refuses new ones. */
  closeAll(): void;
}

type ChangeTarget = Pick<SubscriptionTarget, 'topic' | 'projectId'> & {
  readonly id: string | null;
};

/** `maxWaitMs`: milliseconds after which `next` returns an empty set if there are no changes. */
export function createSubscriptionRegistry({
  maxWaitMs,
  access,
}: {
  readonly maxWaitMs: number;
  readonly access: AccessRegistry;
}): SubscriptionRegistry {
  const subscriptions = new Map<string, Set<ActiveSubscription>>();
  const all = () => new Set([...subscriptions.values()].flatMap((sameKey) => [...sameKey]));
  let isClosed = false;
  let count = 0;

  const remove = (subscription: ActiveSubscription) => {
    const [first, ...others] = subscription.keys;
    if (removeKey(first, subscription)) count -= 1;
    for (const key of others) removeKey(key, subscription);
    access.unwatch(subscription.principals, subscription);
  };
  const removeKey = (key: string, subscription: ActiveSubscription) => {
    const sameKey = subscriptions.get(key);
    const isRemoved = sameKey?.delete(subscription) ?? false;
    if (sameKey?.size === 0) subscriptions.delete(key);
    return isRemoved;
  };
  return {
    get count() {
      return count;
    },
    subscribe(target, signal, principals = []) {
      if (isClosed) throw serviceStoppingError();
      const keys = subscriptionKeys(target);
      const { id = null, ids = null } = target;
      const options = { keys, id, ids, signal, principals, maxWaitMs, remove };
      const subscription = new ActiveSubscription(options);
      if (signal.aborted) return subscription;
      access.watch(principals, subscription);
      for (const key of keys) {
        const sameKey = subscriptions.get(key) ?? new Set();
        subscriptions.set(key, sameKey.add(subscription));
      }
      count += 1;
      return subscription;
    },
    notify(target) {
      const sameKey = subscriptions.get(subscriptionKey(target)) ?? [];
      for (const subscription of sameKey) subscription.notify(target.id);
    },
    wakeForActivity({ projectId, conversationId }) {
      const sameKey = subscriptions.get(subscriptionKey({ topic: 'activity', projectId })) ?? [];
      for (const subscription of sameKey) subscription.wakeFor(conversationId);
    },
    notifyAll: createGradualNotifier(all, (subscription) => subscription.notify(null)),
    closeAll() {
      isClosed = true;
      for (const subscription of all()) subscription.fail(serviceStoppingError());
    },
  };
}

/** Maximum number of changed ids that a subscription stores. If there are more, `next` returns `any`. */
const maxPendingIds = 100;
const noChanges: ChangedIds = new Set();

interface SubscriptionOptions {
  readonly keys: SubscriptionKeys;
  readonly id: string | null;
  readonly ids: ReadonlySet<string> | null;
  readonly signal: AbortSignal;
  readonly principals: readonly string[];
  readonly maxWaitMs: number;
  readonly remove: (subscription: ActiveSubscription) => void;
}

/** A class instead of closures saves memory, because the thousands of subscriptions then share their methods. */
class ActiveSubscription implements Subscription, AccessListener {
  #changed: Set<string> | 'any' | null = null;
  #wake: (() => void) | null = null;
  #isClosed = false;
  #failure: DomainError | null = null;
  readonly #options: SubscriptionOptions;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    const { signal } = options;
    signal.addEventListener('abort', this, { once: true });
    if (signal.aborted) this.handleEvent();
  }

  get principals(): readonly string[] {
    return this.#options.principals;
  }

  get keys(): SubscriptionKeys {
    return this.#options.keys;
  }

  /** Called by the signal, as its `EventListener`. */
  handleEvent(): void {
    this.fail(serviceAbortReason(this.#options.signal));
  }

  async next(): Promise<ChangedIds | null> {
    if (this.#changed === null && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, this.#options.maxWaitMs);
      await promise;
      clearTimeout(timer);
      this.#wake = null;
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#isClosed) return null;
    const changed = this.#changed;
    this.#changed = null;
    return changed ?? noChanges;
  }

  /** Stores a changed id. Null means that any row may have changed. */
  notify(id: string | null): void {
    if (id !== null && !this.#observes(id)) return;
    if (id === null) this.#changed = 'any';
    else if (this.#changed !== 'any') {
      this.#changed ??= new Set();
      this.#changed.add(id);
      if (this.#changed.size > maxPendingIds) this.#changed = 'any';
    }
    this.#wake?.();
  }

  /**
   * Lets `next` return without a change if the subscription observes single conversations and this conversation is one
   * of them.
   */
  wakeFor(conversationId: string): void {
    const { id, ids } = this.#options;
    const observesAll = id === null && ids === null;
    if (!observesAll && this.#observes(conversationId)) this.recheckAccess();
  }

  #observes(id: string): boolean {
    const { id: onlyId, ids } = this.#options;
    return ids?.has(id) ?? (onlyId === null || onlyId === id);
  }

  recheckAccess(): void {
    this.#changed ??= new Set();
    this.#wake?.();
  }

  fail(failure: DomainError | null): void {
    this.#failure ??= failure;
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { signal, remove } = this.#options;
    signal.removeEventListener('abort', this);
    remove(this);
    this.#wake?.();
  }
}

type SubscriptionKeys = readonly [string, ...string[]];

function subscriptionKeys(target: SubscriptionTarget): SubscriptionKeys {
  const key = subscriptionKey(target);
  const { projectId, includesActivity = false } = target;
  return includesActivity ? [key, subscriptionKey({ topic: 'activity', projectId })] : [key];
}

function subscriptionKey({
  topic,
  projectId,
}: Pick<SubscriptionTarget, 'topic' | 'projectId'>): string {
  return `${topic} ${projectId}`;
}
