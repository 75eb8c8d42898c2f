/** A limited number of slots that groups share. A group never holds all of several slots. */
export interface FairSlots {
  /**
   * Waits for a slot and returns it. Dispose it to release it. Groups that hold fewer slots go first; within a group,
   * the order is that of arrival. `isResumed`: continues work that already had a slot, so it goes before the others, in
   * the order of arrival.
   * @throws the signal's reason when the signal aborts.
   */
  acquire(
    group: string,
    signal: AbortSignal,
    options?: { readonly isResumed: boolean },
  ): Promise<Disposable>;
  /** Returns a slot if the group can have one without waiting, else null. */
  tryAcquire(group: string): Disposable | null;
}

interface Waiter {
  readonly group: string;
  readonly isResumed: boolean;
  start(slot: Disposable): void;
}

/**
 * With `keepsHalfFree`, a group takes another slot only while it holds fewer than are free. So one group holds half of
 * the slots, the next one half of the rest, and a new group finds a slot even if all others keep theirs for long.
 */
export function createFairSlots(
  count: number,
  { keepsHalfFree = false }: { readonly keepsHalfFree?: boolean } = {},
): FairSlots {
  const held = new Map<string, number>();
  /** Resumed waiters, then the others. */
  const waiters: Waiter[] = [];
  let freeSlots = count;

  const heldBy = (group: string) => held.get(group) ?? 0;
  const limitOf = () => {
    const shared = Math.max(1, count - 1);
    return keepsHalfFree ? Math.min(shared, freeSlots) : shared;
  };
  const take = (group: string): Disposable => {
    freeSlots -= 1;
    held.set(group, heldBy(group) + 1);
    return { [Symbol.dispose]: () => release(group) };
  };

  /** Returns the first waiter of the group that holds the fewest slots. */
  function nextWaiter(): Waiter | null {
    let next: Waiter | null = null;
    let fewest = limitOf();
    for (const waiter of waiters) {
      const count = heldBy(waiter.group);
      if (count < fewest) [next, fewest] = [waiter, count];
      if (fewest === 0) break;
    }
    return next;
  }

  function addWaiter(waiter: Waiter): void {
    const firstNew = waiter.isResumed ? waiters.findIndex(({ isResumed }) => !isResumed) : -1;
    waiters.splice(firstNew === -1 ? waiters.length : firstNew, 0, waiter);
  }

  function startWaiters(): void {
    while (freeSlots > 0) {
      const next = nextWaiter();
      if (next === null) return;
      waiters.splice(waiters.indexOf(next), 1);
      next.start(take(next.group));
    }
  }

  function release(group: string): void {
    freeSlots += 1;
    if (heldBy(group) > 1) held.set(group, heldBy(group) - 1);
    else held.delete(group);
    startWaiters();
  }

  return {
    // Waiters that could take a free slot have it already.
    tryAcquire: (group) => (freeSlots > 0 && heldBy(group) < limitOf() ? take(group) : null),
    acquire: (group, signal, { isResumed } = { isResumed: false }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          group,
          isResumed,
          start(slot) {
            signal.removeEventListener('abort', onAbort);
            resolve(slot);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        addWaiter(waiter);
        startWaiters();
      }),
  };
}
