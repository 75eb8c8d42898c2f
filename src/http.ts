import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import { dashboardSessionRouter } from './dashboard-session.ts';
import { dashboardUpload } from './dashboard-upload.ts';
import type { Adapters } from './domain/context.ts';
import {
  type ListenOptions,
  listenGently,
  type StopSignals,
  type WebServer,
} from './http-server.ts';
import { healthRouter } from './observability/health.ts';
import { logRequests } from './observability/request-log.ts';
import { measureRequests } from './observability/request-metrics.ts';
import { serveMetrics } from './observability/serve-metrics.ts';
import { assignRequestId, prepareResponse, requestIdOf } from './rest/prepare-response.ts';
import { requestSignal } from './rest/request-signal.ts';
import { requireHost } from './rest/require-host.ts';
import { createRestApi } from './rest/rest-api.ts';
import { endRoutes } from './rest/rest-router.ts';
import { createWidgetApi } from './rest/widget/widget-api.ts';
import { createAuthenticate, type TokenTrust } from './schema/authenticate.ts';
import { createGraphqlServer } from './schema/server.ts';
import { type DashboardSignIn, dashboardRouter } from './serve-dashboard.ts';
import { serveGraphql } from './serve-graphql.ts';
import { widgetScriptRouter } from './serve-widget.ts';

export interface HealthOptions extends ListenOptions {
  /** Of this server alone: what it measures is registered there, and read at `/metrics`. */
  readonly registry: Registry;
}

export interface WebOptions extends HealthOptions {
  readonly isGraphiqlOn: boolean;
  readonly trust: TokenTrust;
  readonly signIn: DashboardSignIn;
  /** How long a token lasts that the dashboard gets: an hour, if it is not said. */
  readonly dashboardTokenSeconds?: number | undefined;
  /** How many proxies of ours a request comes through: so many addresses are believed of what they say of it. */
  readonly trustedProxies?: number;
  /** As `StreamSettings` has it. */
  readonly pingMs?: number;
  /** How long a client may leave a stream unread before it is cut off. */
  readonly stallTimeoutMs?: number;
}

/** The whole service over HTTP: REST below `/api/v1`, GraphQL, dashboard, widget, health, metrics. */
export function startWeb(adapters: Adapters, options: WebOptions): Promise<WebServer> {
  return listenGently((signals) => {
    const app = createApp(adapters, options, signals);
    addService(app, adapters, options, signals);
    endRoutes(app, options.log);
    return app;
  }, options);
}

/** What a worker has to say over HTTP: health and metrics. */
export function startHealth(adapters: Adapters, options: HealthOptions): Promise<WebServer> {
  return listenGently((signals) => {
    const app = createApp(adapters, options, signals);
    endRoutes(app, options.log);
    return app;
  }, options);
}

function createApp(adapters: Adapters, options: HealthOptions, { draining }: StopSignals): Express {
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
  return app;
}

function addService(
  app: Express,
  adapters: Adapters,
  options: WebOptions,
  { stopping }: StopSignals,
): void {
  const authenticate = createAuthenticate(adapters, options.trust);
  const graphql = createGraphqlServer(adapters, {
    authenticate,
    isGraphiqlOn: options.isGraphiqlOn,
  });
  const { pingMs = 12_000, stallTimeoutMs = 60_000, trustedProxies = 0 } = options;
  app.set('trust proxy', trustedProxies);
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
  if (options.signIn.type === 'link' && options.trust.type === 'secret') {
    const settings = { secret: options.trust.secret, tokenSeconds: options.dashboardTokenSeconds };
    app.use('/dashboard/session', dashboardSessionRouter(adapters, settings));
  }
  app.post('/dashboard/upload', dashboardUpload(adapters, { authenticate, stopping }));
  app.use('/dashboard', dashboardRouter(options.signIn, options));
  app.use(widgetScriptRouter());
  app.use('/widget/v1', createWidgetApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
  app.use('/api/v1', createRestApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
}
