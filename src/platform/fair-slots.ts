/** A limited number of slots that groups share. If there are several slots, one group never holds all of them. */
export interface FairSlots {
  /**
   * Waits for a slot and returns it. Dispose the slot to release it. The group that holds the fewest slots goes first.
   * Within a group, the order of arrival decides. Set `isResumed` for work that already had a slot: it goes before all
   * other work, in the order of arrival.
   * @throws the signal's reason when the signal aborts.
   */
  acquire(
    group: string,
    signal: AbortSignal,
    options?: { readonly isResumed: boolean },
  ): Promise<Disposable>;
  /** Returns a slot if the group can have one without waiting. Returns null otherwise. */
  tryAcquire(group: string): Disposable | null;
}

interface Waiter {
  readonly group: string;
  readonly isResumed: boolean;
  start(slot: Disposable): void;
}

/**
 * If `keepsHalfFree` is true, a group gets another slot only while it holds fewer slots than are free. So one group can
 * hold half of the slots, the next group half of the rest, and so on. A new group then finds a free slot even if all
 * other groups keep their slots for long.
 */
export function createFairSlots(
  count: number,
  { keepsHalfFree = false }: { readonly keepsHalfFree?: boolean } = {},
): FairSlots {
  const held = new Map<string, number>();
  /** Waiters in order: first those whose work is resumed, then all others. */
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
    // The caller overtakes no waiter: `startWaiters` has already given a slot to every waiter that may have one.
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
