/** A user of the shared Postgres session, such as a client connection. */
export interface SessionUser {
  /** Whether the user has work for the session now. */
  isReady(): boolean;
  /**
   * Uses the session once. Resolves to true if the user keeps the session afterwards, for example because a transaction
   * is open.
   */
  runTurn(): Promise<boolean>;
  /**
   * Called when the user holds the session and has not used it for too long. It must make the user release the session.
   */
  evict(): void;
}

/** Gives the single shared session to one user at a time, in order of arrival. */
export interface SessionQueue {
  /** Adds a user to the queue. Call it whenever the user's `isReady()` may have become true. */
  notifyReady(participant: SessionUser): void;
  /** Resolves when no user holds the session or waits for it. */
  waitUntilIdle(): Promise<void>;
}

/**
 * Creates a first-come-first-served queue. After one batch, a user goes to the end of the queue, so that a busy client
 * cannot block the others. A user in a transaction keeps the session. If a user holds the session unused for
 * `holdLimitMs`, the user is evicted, because all others wait for the session.
 * @param options.onError called with errors that a turn throws. They are bugs, because a turn handles the errors of its
 * client itself.
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

/** Resolves after Node has read from the sockets and written to them. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
