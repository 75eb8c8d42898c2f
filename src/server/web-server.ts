import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import type { OidcSettings } from '../config/oidc-settings.ts';
import type { Adapters } from '../domain/context.ts';
import type { CallerRateLimits } from '../domain/usage/operator-rate-limit.ts';
import { allowOrigins } from '../http/cors.ts';
import { addFallbackHandlers } from '../http/errors.ts';
import {
  applyResponseDefaults,
  assignRequestId,
  requireHost,
  requireOneAuthorization,
  trackRequest,
} from '../http/exchange.ts';
import { createMcpApi, type McpSignIn } from '../rest/mcp/mcp-api.ts';
import { type ProtectedResource, protectedResourceRouter } from '../rest/mcp/protected-resource.ts';
import { refuseMissingPrefix } from '../rest/missing-prefix.ts';
import { createOpenAiApi } from '../rest/openai/openai-api.ts';
import { createRestApi } from '../rest/rest-api.ts';
import { createWidgetApi } from '../rest/widget/widget-api.ts';
import { createAuthenticator, type TokenVerification } from '../schema/serving/authenticate.ts';
import { createGraphqlServer } from '../schema/serving/graphql-server.ts';
import { pageNotFound, siteRouter } from '../site/site-router.ts';
import { dashboardDownload } from './dashboard/dashboard-download.ts';
import { dashboardExport } from './dashboard/dashboard-export.ts';
import { dashboardSessionRouter } from './dashboard/dashboard-session.ts';
import { dashboardUpload } from './dashboard/dashboard-upload.ts';
import { invitationPreview } from './dashboard/invitation-preview.ts';
import { type OidcMount, oidcButton, oidcPath, oidcRouter } from './dashboard/oidc-router.ts';
import { type DashboardSignIn, dashboardRouter } from './dashboard/serve-dashboard.ts';
import {
  type HttpServer,
  type HttpServerOptions,
  type ShutdownSignals,
  startHttpServer,
} from './http-server.ts';
import { healthRouter } from './observability/health.ts';
import { observeRequests } from './observability/observe-requests.ts';
import { serveMetrics } from './observability/serve-metrics.ts';
import { traceRequests } from './observability/trace-requests.ts';
import { serveGraphql } from './serve-graphql.ts';
import { llmsTxtRouter } from './serve-llms-txt.ts';
import { serveRoot } from './serve-root.ts';
import { widgetScriptRouter } from './serve-widget.ts';

export interface HealthServerOptions extends HttpServerOptions {
  /** Registry of this server's metrics, served at `/metrics`. */
  readonly registry: Registry;
}

/** For each limit, 0 means no limit. */
export interface CallerLimits extends CallerRateLimits {
  /** Maximum number of open subscriptions of one caller in one process. */
  readonly subscriptionsPerCaller: number;
}

export interface WebServerOptions extends HealthServerOptions {
  readonly isGraphiqlOn: boolean;
  readonly tokenVerification: TokenVerification;
  readonly signIn: DashboardSignIn;
  /** The provider that operators can sign in with, in addition to links. Requires the public address. Default: none. */
  readonly oidc?: OidcSettings | null;
  /** Lifetime of the dashboard's access tokens in seconds. Default: one hour. */
  readonly dashboardTokenSeconds?: number | undefined;
  /** Limits of operators, the service role and subscriptions. Default: no limits. */
  readonly callerLimits?: CallerLimits | undefined;
  /** Origins of pages that may call GraphQL and the REST API. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** OAuth resource through which operators use the MCP server. Without it, the MCP server accepts only API keys. */
  readonly mcpResource?: ProtectedResource | null;
  /** Number of trusted proxies in front of the service, which may report the client's address. */
  readonly trustedProxies?: number;
  /** How often an idle subscription sends a comment. Default: 12 seconds. */
  readonly pingIntervalMs?: number;
  /** How long a client may leave a stream unread before the service disconnects the client. Default: 60 seconds. */
  readonly stallTimeoutMs?: number;
}

/** Starts the complete HTTP server: REST at `/api/v1`, GraphQL, dashboard, widget, health and metrics. */
export function startWebServer(adapters: Adapters, options: WebServerOptions): Promise<HttpServer> {
  return startHttpServer((signals) => {
    const app = createApp(adapters, options, signals);
    mountRoutes(app, adapters, options, signals);
    addFallbackHandlers(app, options.log);
    return app;
  }, options);
}

/** Starts the HTTP server of a worker: health and metrics only. */
export function startHealthServer(
  adapters: Adapters,
  options: HealthServerOptions,
): Promise<HttpServer> {
  return startHttpServer(
    (signals) => {
      const app = createApp(adapters, options, signals);
      addFallbackHandlers(app, options.log);
      return app;
    },
    { ...options, isExclusive: true },
  );
}

function createApp(
  adapters: Adapters,
  options: HealthServerOptions,
  { draining }: ShutdownSignals,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // Without this setting, `/API/V1` would be a separate route in the metrics.
  app.enable('case sensitive routing');
  app.use(trackRequest(draining), traceRequests(), assignRequestId());
  app.use(observeRequests(options.log, options.registry), requireHost(), requireOneAuthorization());

  app.use('/health', healthRouter(adapters, { draining }));
  app.get('/metrics', applyResponseDefaults(), serveMetrics(adapters, options.registry));
  return app;
}

function mountRoutes(
  app: Express,
  adapters: Adapters,
  options: WebServerOptions,
  { stopping }: ShutdownSignals,
): void {
  const authenticate = createAuthenticator(
    adapters,
    options.tokenVerification,
    options.callerLimits,
  );
  const graphql = createGraphqlServer(adapters, {
    authenticate,
    isGraphiqlOn: options.isGraphiqlOn,
    subscriptionsPerCaller: options.callerLimits?.subscriptionsPerCaller ?? 0,
  });
  const { pingIntervalMs = 12_000, stallTimeoutMs = 60_000, trustedProxies = 0 } = options;
  app.set('trust proxy', trustedProxies);
  const serve = serveGraphql(graphql, { stopping, pingIntervalMs, stallTimeoutMs });
  app.use(
    ['/graphql', '/api/v1'],
    applyResponseDefaults(),
    allowOrigins(options.corsOrigins ?? []),
  );
  for (const path of ['/graphql', '/graphql/stream']) {
    app.all(path, serve);
  }
  if (options.signIn.type === 'link' && options.tokenVerification.type === 'secret') {
    const settings = {
      secret: options.tokenVerification.secret,
      tokenSeconds: options.dashboardTokenSeconds,
      mailsLinks: mailsLinks(adapters, options),
    };
    const oidc = findOidcMount(adapters, options, stopping);
    if (oidc !== null) app.use(oidcPath, oidcRouter(adapters, oidc));
    app.use('/dashboard/session', dashboardSessionRouter(adapters, settings));
  }
  app.post('/dashboard/invitation', applyResponseDefaults(), invitationPreview(adapters));
  app.post('/dashboard/upload', dashboardUpload(adapters, { authenticate, stopping }));
  app.get('/dashboard/original', dashboardDownload(adapters, { authenticate, stopping }));
  app.post(
    '/dashboard/export',
    dashboardExport(adapters, { authenticate, stopping, stallTimeoutMs }),
  );
  app.get('/', applyResponseDefaults(), serveRoot());
  app.use(llmsTxtRouter());
  app.use(siteRouter());
  app.use('/dashboard', dashboardRouter(dashboardSignIn(adapters, options), options));
  app.use(widgetScriptRouter());
  app.use('/widget/v1', createWidgetApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
  const mcpResource = options.mcpResource ?? null;
  app.use(protectedResourceRouter(mcpResource));
  const signIn = mcpResource === null ? null : mcpSignIn(adapters, options, mcpResource);
  app.use('/mcp', createMcpApi(adapters, { log: options.log, stallTimeoutMs, stopping, signIn }));
  app.use('/v1', createOpenAiApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
  app.use('/api/v1', createRestApi(adapters, { log: options.log, stallTimeoutMs, stopping }));
  app.use(applyResponseDefaults(), refuseMissingPrefix(), pageNotFound());
}

/**
 * Sign-in with a provider starts the same sessions as sign-in links. So it is available only where links are available.
 */
function findOidcMount(
  { publicUrl }: Adapters,
  { oidc = null, signIn, tokenVerification }: WebServerOptions,
  stopping: AbortSignal,
): OidcMount | null {
  if (oidc === null || publicUrl === null || signIn.type !== 'link') return null;
  if (tokenVerification.type !== 'secret') return null;
  return { settings: oidc, publicUrl, secret: tokenVerification.secret, stopping };
}

function dashboardSignIn(
  adapters: Adapters,
  { oidc = null, signIn }: WebServerOptions,
): DashboardSignIn {
  if (signIn.type !== 'link') return signIn;
  const { publicUrl } = adapters;
  return {
    ...signIn,
    ...(mailsLinks(adapters, { oidc }) && { mailsLinks: true }),
    ...(oidc !== null && publicUrl !== null && { oidc: oidcButton(oidc, publicUrl) }),
  };
}

/**
 * Whether operators can have a sign-in link sent to their address. Not with an OIDC provider, whose rules a link would
 * go round.
 */
function mailsLinks(
  { mailer, publicUrl }: Adapters,
  { oidc = null }: Pick<WebServerOptions, 'oidc'>,
): boolean {
  return mailer !== null && publicUrl !== null && oidc === null;
}

/**
 * Access tokens for the MCP server are not valid for GraphQL, and GraphQL tokens are not valid for the MCP server:
 * their audiences differ.
 */
function mcpSignIn(
  adapters: Adapters,
  { tokenVerification, callerLimits }: WebServerOptions,
  resource: ProtectedResource,
): McpSignIn {
  return {
    resource,
    authenticateOperator: createAuthenticator(
      adapters,
      tokenVerification,
      callerLimits,
      resource.url,
    ),
  };
}
