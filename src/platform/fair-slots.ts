/** A limited number of slots that groups share. A group never holds all of several slots. */
export interface FairSlots {
  /**
   * Waits for a slot and returns it. Dispose it to release it. Groups that hold fewer slots go first.
   * @throws the signal's reason when the signal aborts.
   */
  acquire(group: string, signal: AbortSignal): Promise<Disposable>;
  /** Returns a slot if the group can have one without waiting, else null. */
  tryAcquire(group: string): Disposable | null;
}

interface Waiter {
  readonly group: string;
  start(slot: Disposable): void;
}

export function createFairSlots(count: number): FairSlots {
  const limit = Math.max(1, count - 1);
  const held = new Map<string, number>();
  const waiters: Waiter[] = [];
  let freeSlots = count;

  const heldBy = (group: string) => held.get(group) ?? 0;
  const take = (group: string): Disposable => {
    freeSlots -= 1;
    held.set(group, heldBy(group) + 1);
    return { [Symbol.dispose]: () => release(group) };
  };

  /** Returns the first waiter of the group that holds the fewest slots. */
  function nextWaiter(): Waiter | null {
    let next: Waiter | null = null;
    let fewest = limit;
    for (const waiter of waiters) {
      const count = heldBy(waiter.group);
      if (count < fewest) [next, fewest] = [waiter, count];
      if (fewest === 0) break;
    }
    return next;
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
    tryAcquire: (group) => (freeSlots > 0 && heldBy(group) < limit ? take(group) : null),
    acquire: (group, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          group,
          start(slot) {
            signal.removeEventListener('abort', onAbort);
            resolve(slot);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiters.push(waiter);
        startWaiters();
      }),
  };
}
