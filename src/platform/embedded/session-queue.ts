/** A user of the shared Postgres session, such as a client connection. */
export interface SessionUser {
  /** Whether this client has work for the session now. */
  isReady(): boolean;
  /**
   * Uses the session once. Resolves to true if the user keeps the session afterwards, for example for an open
   * transaction.
   */
  runTurn(): Promise<boolean>;
  /** Called when the user has kept the session unused for too long. Must make the user release the session. */
  evict(): void;
}

/** Gives the single shared session to one user at a time, in order of arrival. */
export interface SessionQueue {
  /** Adds a user to the queue. Call whenever its `isReady()` may have become true. */
  notifyReady(participant: SessionUser): void;
  /** Resolves when no user holds the session or waits for it. */
  waitUntilIdle(): Promise<void>;
}

/**
 * Creates a first-come-first-served queue. A user runs one batch and then goes to the end of the queue, unless it is in
 * a transaction, so that a busy client cannot block the others. A user that holds the session unused for `holdLimitMs`
 * is evicted, because all others wait for it.
 * @param options.onError called with errors thrown by a turn, which are bugs: client errors are handled in the turn.
 */
export function createSessionQueue(options: {
  holdLimitMs: number;
  onError(error: unknown): void;
}): SessionQueue {
  const waiting = new Set<SessionUser>();
  let holder: SessionUser | undefined;
  let running = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let idleWaiters: (() => void)[] = [];

  const nextTurn = (): SessionUser | undefined => {
    if (holder) return holder.isReady() ? holder : undefined;
    for (const participant of waiting) {
      waiting.delete(participant);
      if (participant.isReady()) return participant;
    }
    return undefined;
  };

  const run = async () => {
    running = true;
    for (let next = nextTurn(); next; next = nextTurn()) {
      clearTimeout(idleTimer);
      idleTimer = undefined;
      holder = next;
      if (!(await next.runTurn())) {
        holder = undefined;
        if (next.isReady()) waiting.add(next);
      }
      await nextTick();
    }
    running = false;
    armIdleTimeout();
  };

  const armIdleTimeout = () => {
    const unused = holder;
    if (unused) {
      idleTimer ??= setTimeout(() => unused.evict(), options.holdLimitMs);
    } else {
      for (const resolve of idleWaiters) resolve();
      idleWaiters = [];
    }
  };

  return {
    notifyReady(participant) {
      if (participant !== holder) waiting.add(participant);
      if (!running) run().catch(options.onError);
    },
    waitUntilIdle: () =>
      running || holder || waiting.size > 0
        ? new Promise((resolve) => idleWaiters.push(resolve))
        : Promise.resolve(),
  };
}

/** Resolves after Node has read from and written to sockets. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
