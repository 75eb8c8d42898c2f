import type { Context } from '../../domain/context.ts';
import { serviceAbortReason } from '../../platform/errors.ts';

/**
 * Waits for the first event before it returns the stream, so that an early error fails the whole operation. If the
 * client disconnects early, nobody reads the returned stream. A generator that is never read does not run its
 * `finally`, so the abort signal closes `events`.
 */
export async function awaitFirstEvent<T>(
  { signal, log }: Context,
  opened: Promise<AsyncGenerator<T, void, undefined>>,
): Promise<AsyncIterable<T>> {
  const events = await opened;
  const closeEvents = () => {
    if (serviceAbortReason(signal) !== null) return;
    events
      .return(undefined)
      .catch((error: unknown) =>
        log.error({ err: error }, 'failed to close the events of an answer'),
      );
  };
  let first: IteratorResult<T, void> | null = await events.next();
  if (signal.aborted) closeEvents();
  else signal.addEventListener('abort', closeEvents, { once: true });
  const rest: AsyncIterator<T, void, undefined> = {
    next() {
      const event = first;
      first = null;
      return event === null ? events.next() : Promise.resolve(event);
    },
    return: () => events.return(undefined),
  };
  return { [Symbol.asyncIterator]: () => rest };
}
