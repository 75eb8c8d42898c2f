import { isAccessError, toServerError } from '../../platform/errors.ts';
import { sleep } from '../../platform/wait.ts';
import type { Context } from '../context.ts';
import { principalsOf } from './subscribe-caller.ts';

/**
 * Reads events until the caller loses access. `read` receives a signal. This signal aborts when the context's signal
 * aborts. It also aborts when the caller has lost access; then its reason is the error of `authorize`. Access is only
 * checked when the caller may have lost it, so an idle stream causes no work.
 */
export async function* readWhileAuthorized<Event>(
  context: Context,
  authorize: () => Promise<void>,
  read: (signal: AbortSignal) => Reader<Event> | Promise<Reader<Event>>,
): AsyncGenerator<Event, void, undefined> {
  const controller = new AbortController();
  const { signal } = context;
  const forwardAbort = () => controller.abort(signal.reason);
  const recheckAccess = () => {
    void requireAccess(authorize, controller.signal).catch((error) => controller.abort(error));
  };
  signal.addEventListener('abort', forwardAbort, { once: true });
  if (signal.aborted) forwardAbort();
  const stop = context.events.watchAccess(principalsOf(context.caller), { recheckAccess });
  try {
    yield* await read(controller.signal);
  } finally {
    stop();
    signal.removeEventListener('abort', forwardAbort);
  }
}

type Reader<Event> = AsyncGenerator<Event, void, undefined>;

/** After this many failed checks, for example during a database outage, the stream closes. */
const maxAttempts = 3;
const retryDelayMs = 1_000;

async function requireAccess(authorize: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await authorize();
    } catch (error) {
      if (isAccessError(error)) throw error;
      if (attempt === maxAttempts) throw toServerError(error);
    }
    await sleep(retryDelayMs, signal);
  }
}
