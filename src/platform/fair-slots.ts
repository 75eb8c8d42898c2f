/** A limited number of slots that groups share. A group never holds all of several slots. */
export interface FairSlots {
  /**
   * Waits for a slot and returns it. Dispose it to release it. Groups that hold fewer slots go first.
   * @throws the signal's reason when the signal aborts.
   */
  acquire(group: string, signal: AbortSignal): Promise<Disposable>;
}

interface Waiter {
  readonly group: string;
  start(): void;
}

export function createFairSlots(count: number): FairSlots {
  const limit = Math.max(1, count - 1);
  const held = new Map<string, number>();
  const waiters: Waiter[] = [];
  let freeSlots = count;

  const heldBy = (group: string) => held.get(group) ?? 0;
  const canStart = ({ group }: Waiter) => heldBy(group) < limit;

  function startWaiters(): void {
    while (freeSlots > 0) {
      const [next] = waiters.filter(canStart).sort((a, b) => heldBy(a.group) - heldBy(b.group));
      if (next === undefined) return;
      waiters.splice(waiters.indexOf(next), 1);
      freeSlots -= 1;
      held.set(next.group, heldBy(next.group) + 1);
      next.start();
    }
  }

  function release(group: string): void {
    freeSlots += 1;
    if (heldBy(group) > 1) held.set(group, heldBy(group) - 1);
    else held.delete(group);
    startWaiters();
  }

  return {
    acquire: (group, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          group,
          start() {
            signal.removeEventListener('abort', onAbort);
            resolve({ [Symbol.dispose]: () => release(group) });
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiters.push(waiter);
        startWaiters();
      }),
  };
}
