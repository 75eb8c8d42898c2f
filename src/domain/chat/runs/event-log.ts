/**
 * An append-only list of events for any number of readers, each at its own pace. A log that does not keep its events
 * has only one reader. This reader starts at 0, and the log removes the events that were read.
 */
export interface EventLog<Event> {
  /** If the log keeps events, all events so far. Otherwise only the events that were not read yet. */
  readonly events: readonly Event[];
  push(event: Event): void;
  /**
   * Closes the log. Readers first receive the remaining events. Then `read` throws `failure.error`, or returns if there
   * is no `failure`.
   */
  close(failure?: { readonly error: unknown }): void;
  /**
   * Yields the events from index `from` until the log closes or `signal` aborts. Waits for the first event even if
   * `signal` is aborted, so that the reader receives the error of a failed start.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<Event, void, undefined>;
}

export function createEventLog<Event>({
  keepsEvents,
}: {
  readonly keepsEvents: boolean;
}): EventLog<Event> {
  const events: Event[] = [];
  const readers = new Set<() => void>();
  let isStarted = false;
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;

  const wake = () => {
    for (const wakeReader of readers) wakeReader();
  };

  return {
    events,
    push(event) {
      isStarted = true;
      events.push(event);
      wake();
    },
    close(reason) {
      isClosed = true;
      failure = reason;
      wake();
    },
    async *read(from, signal) {
      let resume = () => {};
      // One listener for all events of a reader, because an answer can have thousands of events.
      const wakeReader = () => resume();
      readers.add(wakeReader);
      signal.addEventListener('abort', wakeReader);
      try {
        for (let index = from; ; index += 1) {
          while (index >= events.length) {
            // All events are read. Remove them, because the events of thousands of long answers would fill the memory.
            if (!keepsEvents) index = events.length = 0;
            if (failure !== undefined) throw failure.error;
            if (isClosed || (signal.aborted && isStarted)) return;
            await new Promise<void>((resolve) => {
              resume = resolve;
            });
          }
          const event = events[index];
          if (event !== undefined) yield event;
        }
      } finally {
        readers.delete(wakeReader);
        signal.removeEventListener('abort', wakeReader);
      }
    },
  };
}
