import { isAccessError, toServerError } from '../../platform/errors.ts';
import { sleep } from '../../platform/wait.ts';
import type { Context } from '../context.ts';
import { principalsOf } from './subscribe-caller.ts';

/**
 * Reads events until the caller loses access. `read` receives a signal that aborts like the context's, or with the
 * error of `authorize` as its reason. Checks access only when the caller may have lost it, so an idle stream costs
 * nothing.
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

/** Attempts before a stream ends because its access cannot be checked, for example without a database. */
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
