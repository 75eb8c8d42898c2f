/** Something that needs the session from time to time. */
export type Participant = {
  /** Whether it could use the session now. */
  hasTurn(): boolean;
  /** Uses the session; resolves to whether nobody else may use it yet (a transaction is open). */
  takeTurn(): Promise<boolean>;
  /** Called when it kept the session for too long without using it; must give it up. */
  evict(): void;
};

/** Lends the one session to many, in order of arrival. */
export type SessionQueue = {
  /** Call whenever `hasTurn()` may have become true. */
  ready(participant: Participant): void;
  /** Resolves when nobody holds or awaits the session. */
  idle(): Promise<void>;
};

/**
 * First come, first served; after each turn outside a transaction the next in line goes, so one busy
 * client cannot starve the others. A holder that leaves the session unused for `holdLimitMs` is
 * evicted, because everyone else waits for it. `fail` gets what a turn throws: a defect, not a
 * client's mistake.
 */
export function createSessionQueue(options: {
  holdLimitMs: number;
  fail(error: unknown): void;
}): SessionQueue {
  const waiting = new Set<Participant>();
  let holder: Participant | undefined;
  let running = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let idleWaiters: (() => void)[] = [];

  const nextTurn = (): Participant | undefined => {
    if (holder) return holder.hasTurn() ? holder : undefined;
    for (const participant of waiting) {
      waiting.delete(participant);
      if (participant.hasTurn()) return participant;
    }
    return undefined;
  };

  const run = async () => {
    running = true;
    for (let next = nextTurn(); next; next = nextTurn()) {
      clearTimeout(idleTimer);
      idleTimer = undefined;
      holder = next;
      if (!(await next.takeTurn())) {
        holder = undefined;
        if (next.hasTurn()) waiting.add(next);
      }
      await nextTick();
    }
    running = false;
    settle();
  };

  const settle = () => {
    const unused = holder;
    if (unused) {
      idleTimer ??= setTimeout(() => unused.evict(), options.holdLimitMs);
    } else {
      for (const resolve of idleWaiters) resolve();
      idleWaiters = [];
    }
  };

  return {
    ready(participant) {
      if (participant !== holder) waiting.add(participant);
      if (!running) run().catch(options.fail);
    },
    idle: () =>
      running || holder || waiting.size > 0
        ? new Promise((resolve) => idleWaiters.push(resolve))
        : Promise.resolve(),
  };
}

/** Lets the sockets be read and written between two turns. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
