/** Events in the order in which they happen, for any number of readers, each at its own pace. */
export interface EventLog<Event> {
  /** All so far. */
  readonly events: readonly Event[];
  push(event: Event): void;
  /** Nothing more happens; readers get the failure, if there is one, behind the last event. */
  close(failure?: { readonly error: unknown }): void;
  /**
   * The events from place `from` on, to the last or until `signal` aborts. Whether there is a first one is waited for
   * in any case, so that the reader hears why there is none.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<Event, void, undefined>;
}

export function createEventLog<Event>(): EventLog<Event> {
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;

  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const change = (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = () => {
      waiting.delete(abort);
      signal.removeEventListener('abort', abort);
      resolve();
    };
    waiting.add(abort);
    signal.addEventListener('abort', abort);
    return promise;
  };

  return {
    events,
    push(event) {
      events.push(event);
      wake();
    },
    close(reason) {
      isClosed = true;
      failure = reason;
      wake();
    },
    async *read(from, signal) {
      for (let place = from; ; place += 1) {
        while (place >= events.length) {
          if (failure !== undefined) throw failure.error;
          if (isClosed || (signal.aborted && events.length > 0)) return;
          await change(signal);
        }
        const event = events[place];
        if (event !== undefined) yield event;
      }
    },
  };
}
