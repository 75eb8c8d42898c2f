import { Router } from 'express';
import type { Logger } from 'pino';
import type { Adapters } from '../domain/context.ts';
import { prepareResponse, requestIdOf } from '../rest/prepare-response.ts';
import { sendJson } from '../rest/send-json.ts';
import { boundedRead } from './bounded-read.ts';

const checkTimeoutMs = 2_000;

/**
 * `GET /live`: the process answers. `GET /ready`: requests can be served, or which dependency is down, or that the
 * service is `stopping`. The models are not among the dependencies: without them documents, transcripts and full-text
 * search still work, an answer that fails says so itself, and one bad provider would take every node out at once.
 */
export function healthRouter(
  { pool, storage, queue, log }: Adapters,
  { draining }: { readonly draining: AbortSignal },
): Router {
  const checks = {
    database: dependency('database', () => pool.query(ping)),
    storage: dependency('storage', () => storage.check()),
    queue: dependency('queue', () => queue.check()),
  };
  const router = Router();
  router.use(prepareResponse());
  router.get('/live', (_request, response) => sendJson(response, 200, { status: 'ok' }));
  router.get('/ready', async (_request, response) => {
    if (draining.aborted) return sendJson(response, 503, { status: 'stopping' });
    const requestLog = log.child({ requestId: requestIdOf(response) });
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check(requestLog)] as const),
    );
    const isReady = found.every(([, state]) => state === 'ok');
    sendJson(response, isReady ? 200 : 503, {
      status: isReady ? 'ok' : 'unavailable',
      checks: Object.fromEntries(found),
    });
  });
  return router;
}

/** pg gives a connection up when its own time-out fires, so that a dead one does not stay in the pool. */
const ping = { text: 'select 1', query_timeout: checkTimeoutMs };

type DependencyState = 'ok' | 'unavailable';

/** Asks how a dependency is, and logs when that has changed, with the reason. */
function dependency(
  name: string,
  check: () => Promise<unknown>,
): (log: Logger) => Promise<DependencyState> {
  const boundedCheck = boundedRead(check, checkTimeoutMs);
  let known: DependencyState = 'ok';
  return async (log) => {
    const error = await boundedCheck().then(
      () => null,
      (error: unknown) => error ?? new Error('no reason given'),
    );
    const state = error === null ? 'ok' : 'unavailable';
    if (state !== known) {
      if (state === 'ok') log.info({ dependency: name }, 'dependency is available again');
      else log.warn({ dependency: name, err: error }, 'dependency is unavailable');
    }
    known = state;
    return state;
  };
}
