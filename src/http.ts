import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Adapters } from './domain/context.ts';
import { DomainError } from './domain/errors.ts';
import { requestSignal } from './rest/request-signal.ts';
import { createRestApi } from './rest/rest-api.ts';
import { endRoutes } from './rest/rest-router.ts';
import { createAuthenticate, type TokenTrust } from './schema/authenticate.ts';
import { createGraphqlServer } from './schema/server.ts';

export interface WebOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly isGraphiqlOn: boolean;
  readonly trust: TokenTrust;
  readonly log: Logger;
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

/** The whole service over HTTP: REST below `/api/v1`, GraphQL, health. */
export async function startWeb(adapters: Adapters, options: WebOptions): Promise<WebServer> {
  const stopping = new AbortController();
  const server = createServer(createApp(adapters, options, stopping.signal));
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
  return { url: addressOf(server, options.host), stop: () => closeGently(server, stopping) };
}

function createApp(adapters: Adapters, options: WebOptions, stopping: AbortSignal): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/health/ready', async (_request, response) => {
    const isReady = await adapters.pool.query('select 1').then(
      () => true,
      () => false,
    );
    response
      .status(isReady ? 200 : 503)
      .json({ status: isReady ? 'ok' : 'unavailable', checks: { database: isReady } });
  });

  const graphql = createGraphqlServer(adapters, {
    authenticate: createAuthenticate(adapters, options.trust),
    isGraphiqlOn: options.isGraphiqlOn,
    requestLog: () => options.log.child({ requestId: randomUUID() }),
  });
  app.all(['/graphql', '/graphql/stream'], (request, response) =>
    graphql(request, response, { signal: requestSignal(response, stopping) }),
  );
  app.use('/api/v1', createRestApi(adapters, { log: options.log, stopping }));
  endRoutes(app, options.log);
  return app;
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

function serviceStops(): DomainError {
  return new DomainError('UNAVAILABLE', 'The service is stopping. Try again in a moment', {
    retryable: true,
  });
}
