import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Adapters } from './domain/context.ts';
import { serviceStops } from './domain/errors.ts';
import { healthRouter } from './observability/health.ts';
import { logRequests } from './observability/request-log.ts';
import { measureRequests } from './observability/request-metrics.ts';
import { serveMetrics } from './observability/serve-metrics.ts';
import { assignRequestId, prepareResponse, requestIdOf } from './rest/prepare-response.ts';
import { refuseMalformed } from './rest/refuse-malformed.ts';
import { requestSignal } from './rest/request-signal.ts';
import { requireHost } from './rest/require-host.ts';
import { createRestApi } from './rest/rest-api.ts';
import { endRoutes } from './rest/rest-router.ts';
import { createAuthenticate, type TokenTrust } from './schema/authenticate.ts';
import { createGraphqlServer } from './schema/server.ts';
import { serveGraphql } from './serve-graphql.ts';

export interface WebOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly isGraphiqlOn: boolean;
  readonly trust: TokenTrust;
  readonly log: Logger;
  /** Of this server alone: what it measures is registered there, and read at `/metrics`. */
  readonly registry: Registry;
  /** As `StreamSettings` has it. */
  readonly pingMs?: number;
  /** How long a client may leave a stream unread before it is cut off. */
  readonly stallTimeoutMs?: number;
}

export interface WebServer {
  /** The address it listens on, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes no new requests, lets running ones end for a while, then closes. */
  stop(): Promise<void>;
}

/** How long running requests may go on when the server stops, then how long they have to say so. */
const stopGraceMs = 5_000;
const stopFarewellMs = 500;

/** The whole service over HTTP: REST below `/api/v1`, GraphQL, health, metrics. */
export async function startWeb(adapters: Adapters, options: WebOptions): Promise<WebServer> {
  const draining = new AbortController();
  const stopping = new AbortController();
  const signals = { draining: draining.signal, stopping: stopping.signal };
  const app = createApp(adapters, options, signals);
  const server = createServer({ requireHostHeader: false, ...messageClasses(app) }, app);
  refuseMalformed(server, options.log);
  // Longer than the idle time-out of common proxies, so that they and not we end a connection.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  server.requestTimeout = 300_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const stop = () => {
    draining.abort();
    return closeGently(server, stopping);
  };
  return { url: addressOf(server, options.host), stop };
}

interface StopSignals {
  /** Aborts when no new requests are wanted. */
  readonly draining: AbortSignal;
  /** Aborts with a `DomainError` when running requests are to end. */
  readonly stopping: AbortSignal;
}

function createApp(
  adapters: Adapters,
  options: WebOptions,
  { draining, stopping }: StopSignals,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // Or `/API/V1` would be a route of its own in the measures.
  app.enable('case sensitive routing');
  app.use(assignRequestId(), logRequests(options.log), measureRequests(options.registry));
  app.use(requireHost());

  app.use('/health', healthRouter(adapters, { draining }));
  app.get('/metrics', prepareResponse(), serveMetrics(adapters, options.registry));

  const graphql = createGraphqlServer(adapters, {
    authenticate: createAuthenticate(adapters, options.trust),
    isGraphiqlOn: options.isGraphiqlOn,
  });
  const { pingMs = 12_000, stallTimeoutMs = 60_000 } = options;
  for (const path of ['/graphql', '/graphql/stream']) {
    app.all(path, (request, response) =>
      serveGraphql(
        graphql,
        { request, response },
        {
          signal: requestSignal(response, stopping),
          requestId: requestIdOf(response),
          noteCaller: (caller) => {
            response.locals.caller = caller;
          },
        },
        { pingMs, stallTimeoutMs },
      ),
    );
  }
  app.use('/api/v1', createRestApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
  endRoutes(app, options.log);
  return app;
}

/**
 * Express gives each request and response its prototype, for which V8 makes a hidden class of its own each time: 2 kB
 * for as long as they live. Those made by these classes have it already.
 */
function messageClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = inherit(Request.prototype, app.request);
  app.response = inherit(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

function inherit<T extends object>(prototype: object, from: T): T {
  return Object.setPrototypeOf(prototype, from);
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function closeGently(server: Server, stopping: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const tell = setTimeout(() => stopping.abort(serviceStops()), stopGraceMs);
    const force = setTimeout(() => server.closeAllConnections(), stopGraceMs + stopFarewellMs);
    server.close(() => {
      clearTimeout(tell);
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
