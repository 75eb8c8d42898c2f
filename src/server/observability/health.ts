import { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { Adapters } from '../../domain/context.ts';
import { applyResponseDefaults, requestIdOf, sendJson } from '../../http/exchange.ts';
import { version } from '../../platform/version.ts';
import { singleFlight } from './single-flight.ts';

const checkTimeoutMs = 2_000;

/**
 * Serves `GET /` and `GET /live`, which always succeed, and `GET /ready`, which reports unavailable dependencies or
 * `stopping`. If only the storage is unavailable, the node is `degraded` and the status is 200. Models are not checked.
 * If they were, one failed provider would make every node unready at once, although documents, transcripts and full-text
 * search work without models, and failed answers report their own errors.
 */
export function healthRouter(
  { pool, storage, queue, log }: Adapters,
  { draining }: { readonly draining: AbortSignal },
): Router {
  const checks = {
    database: createDependencyCheck('database', () => pool.query(pingQuery)),
    storage: createDependencyCheck('storage', () => storage.check()),
    queue: createDependencyCheck('queue', () => queue.check()),
  };
  const router = Router();
  router.use(applyResponseDefaults());
  const sendAlive: RequestHandler = (_request, response) =>
    sendJson(response, 200, { status: 'ok', version });
  // Not one route with both paths: the path of a route is its name in log and metrics.
  router.get('/', sendAlive);
  router.get('/live', sendAlive);
  router.get('/ready', async (_request, response) => {
    if (draining.aborted) return sendJson(response, 503, { status: 'stopping', version });
    const requestLog = log.child({ requestId: requestIdOf(response) });
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check(requestLog)] as const),
    );
    const isDown = (name: string, state: DependencyState) =>
      state !== 'ok' && name !== optionalDependency;
    const isReady = !states.some(([name, state]) => isDown(name, state));
    const isDegraded = states.some(([, state]) => state !== 'ok');
    sendJson(response, isReady ? 200 : 503, {
      status: isReady ? (isDegraded ? 'degraded' : 'ok') : 'unavailable',
      version,
      checks: Object.fromEntries(states),
    });
  });
  return router;
}

/** Answers do not need the storage. If it were required, its outage would make every node unready at once. */
const optionalDependency = 'storage';

/** When this time-out fires, pg closes the connection. So dead connections leave the pool. */
const pingQuery = { text: 'select 1', query_timeout: checkTimeoutMs };

type DependencyState = 'ok' | 'unavailable';

/** Returns a function that checks a dependency. It logs each change of state with the reason. */
function createDependencyCheck(
  name: string,
  check: () => Promise<unknown>,
): (log: Logger) => Promise<DependencyState> {
  const boundedCheck = singleFlight(check, checkTimeoutMs);
  let lastState: DependencyState = 'ok';
  return async (log) => {
    const error = await boundedCheck().then(
      () => null,
      (error: unknown) => error ?? new Error('no reason given'),
    );
    const state = error === null ? 'ok' : 'unavailable';
    if (state !== lastState) {
      if (state === 'ok') log.info({ dependency: name }, 'dependency is available again');
      else log.warn({ dependency: name, err: error }, 'dependency is unavailable');
    }
    lastState = state;
    return state;
  };
}
