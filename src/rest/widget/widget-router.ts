import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { VisitorCaller } from '../../domain/caller.ts';
import type { Context, RequestScope } from '../../domain/context.ts';
import type { AuthenticatedWidget } from '../../domain/widget/authenticate-widget-request.ts';
import type { findPublicLook } from '../../domain/widget/find-public-look.ts';
import { allowOrigin, sendPreflightResponse } from '../../http/cors.ts';
import { addFallbackHandlers, httpStatusOf, toDomainError } from '../../http/errors.ts';
import {
  applyResponseDefaults,
  requestIdOf,
  requestSignal,
  sendJson,
} from '../../http/exchange.ts';
import { sendEvents } from '../../http/send-events.ts';
import { createStreamLimiter, type StreamLimiter } from '../../http/stream-limiter.ts';
import { DomainError } from '../../platform/errors.ts';
import { compileValidator } from '../request/compile-validator.ts';
import { readJsonBody } from '../request/read-json-body.ts';
import { type VisitorOperation, visitBody, visitorOperations } from './visitor-operations.ts';

/** Dependencies of the widget's API. */
export interface WidgetDependencies {
  /** Rejects with `FORBIDDEN` if the key is unknown, the widget is disabled, or the origin is not allowed. */
  authenticateWidgetRequest(page: {
    publishableKey: string;
    origin: string | undefined;
  }): Promise<AuthenticatedWidget>;
  /** Returns the visitor of the token. Rejects with `UNAUTHENTICATED`. */
  verifyVisitorToken(
    widget: AuthenticatedWidget,
    authorization: string | undefined,
  ): Promise<Visitor>;
  /** Starts or continues a visit. Rejects with `UNAUTHENTICATED` when the user is not verified. */
  startVisit(
    widget: AuthenticatedWidget,
    visit: { presented: Visitor | null; userId?: string; userHash?: string },
  ): Promise<object>;
  /** Returns the look of an enabled widget. Rejects with `FORBIDDEN`. */
  findPublicLook(publishableKey: string): ReturnType<typeof findPublicLook>;
  /** Rejects with `RATE_LIMITED` if the visitor or the IP address has used up its limit. */
  consumeVisitorRateLimit(
    widget: Pick<AuthenticatedWidget, 'visitorSecret'>,
    visit: { visitorId: string | null; address: string; points: number },
  ): Promise<void>;
  networkOf(address: string): string;
  contextFor(caller: VisitorCaller, request: RequestScope): Context;
  readonly log: Logger;
  readonly stallTimeoutMs: number;
  readonly stopping: AbortSignal;
}

interface Visitor {
  readonly visitorId: string;
  readonly caller: VisitorCaller;
}

/**
 * Serves the widget at `/<publishable key>/<operation>`. This is not a public API: it changes with the script, which
 * the same process serves. Except for the look, each request is checked in this order: key and origin, visitor, rate limit, body. The path
 * contains the key, because preflight requests must be checked by the key and no other part of a preflight request can
 * carry it.
 */
export function widgetRouter(service: WidgetDependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(applyResponseDefaults());
  router.get('/:key/look', serveLook(service));
  router.use((_request, response, next) => {
    response.vary('Origin');
    next();
  });
  router.options('/:key/:operation', async (request, response) => {
    try {
      await authenticateOrigin(service, request, response);
    } catch (error) {
      // After a failed preflight, the browser would not send the request. But the page needs the response to the
      // request, because this response asks for a retry.
      if (!isServerError(error)) throw error;
    }
    sendPreflightResponse(response, { methods: 'POST', headers: 'authorization, content-type' });
  });
  router.post('/:key/visit', serveVisit(service));
  const streams = createStreamLimiter(
    maxStreamsPerNetwork,
    'Too many conversations are open. Try again soon',
  );
  for (const [name, operation] of Object.entries(visitorOperations)) {
    router.post(`/:key/${name}`, serveVisitorOperation(service, streams, operation));
  }
  addFallbackHandlers(router, service.log);
  return router;
}

/**
 * Maximum open streams per network address and process. The visitors of an office, or attackers, may share one address.
 */
const maxStreamsPerNetwork = 50;

/**
 * Authenticates the widget key and the origin. After a server error, the page may read the error response. Otherwise
 * the page could not distinguish the failure from a refusal.
 */
async function authenticateOrigin(
  service: WidgetDependencies,
  request: Request,
  response: Response,
): Promise<AuthenticatedWidget> {
  const origin = request.get('Origin');
  try {
    const widget = await service.authenticateWidgetRequest({
      publishableKey: String(request.params.key),
      origin,
    });
    allowOrigin(response, widget.origin);
    return widget;
  } catch (error) {
    if (origin !== undefined && isServerError(error)) allowOrigin(response, origin);
    throw error;
  }
}

function isServerError(error: unknown): boolean {
  return httpStatusOf(toDomainError(error).code) >= 500;
}

/**
 * Sends the look of the widget, which the script needs on every page. Any site may read it, so that caches need no copy
 * for each origin.
 */
function serveLook(service: WidgetDependencies): RequestHandler {
  return async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    const { look, visitorSecret } = await service.findPublicLook(String(request.params.key));
    await service.consumeVisitorRateLimit(
      { visitorSecret },
      { visitorId: null, address: clientAddressOf(request), points: 1 },
    );
    response.setHeader('Cache-Control', 'public, max-age=60');
    sendJson(response, 200, look);
  };
}

/** Cost of a new visit in points. An address may start 60 new visits a minute. */
const newVisitPoints = 10;

/**
 * Issues a new token. If the request has a valid token, the new token is for the same visitor. Otherwise it is for the
 * verified user, or for a new visitor.
 */
function serveVisit(service: WidgetDependencies): RequestHandler {
  const validate = compileValidator(visitBody);
  return async (request, response) => {
    const widget = await authenticateOrigin(service, request, response);
    const presented = await findVisitor(service, widget, request);
    const visitorId = presented?.visitorId ?? null;
    const points = visitorId === null ? newVisitPoints : 1;
    await service.consumeVisitorRateLimit(widget, {
      visitorId,
      address: clientAddressOf(request),
      points,
    });
    const user = await readJsonBody(request, { schema: visitBody, isRequired: false });
    const problems = validate(user).map(({ message }) => message);
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
    sendJson(response, 200, await service.startVisit(widget, { presented, ...user }));
  };
}

async function findVisitor(
  service: WidgetDependencies,
  widget: AuthenticatedWidget,
  request: Request,
): Promise<Visitor | null> {
  if (request.get('Authorization') === undefined) return null;
  try {
    return await service.verifyVisitorToken(widget, request.get('Authorization'));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return null;
    throw error;
  }
}

function serveVisitorOperation(
  service: WidgetDependencies,
  streams: StreamLimiter,
  { points, body, handler: answer }: VisitorOperation,
): RequestHandler {
  const validate = compileValidator(body);
  return async (request, response) => {
    const widget = await authenticateOrigin(service, request, response);
    const { visitorId, caller } = await service.verifyVisitorToken(
      widget,
      request.get('Authorization'),
    );
    response.locals.caller = caller;
    const address = clientAddressOf(request);
    await service.consumeVisitorRateLimit(widget, { visitorId, address, points });

    const input = await readJsonBody(request, { schema: body, isRequired: true });
    const problems = validate(input).map(({ message }) => message);
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);

    const { stallTimeoutMs, stopping } = service;
    const signal = requestSignal(response, stopping);
    const origin = { ipAddress: null, userAgent: request.get('User-Agent') ?? null };
    const requestId = requestIdOf(response);
    const context = service.contextFor(caller, { signal, requestId, origin });
    if (answer.type === 'json') return sendJson(response, 200, await answer.run(context, input));
    response.once('close', streams.acquire(service.networkOf(address)));
    await sendEvents(
      { response, context, stallTimeoutMs, recorder: null },
      answer.watch(context, input),
      (frame) => frame,
    );
  };
}

/** Returns the client address. Trusted proxies may report it in a header. */
function clientAddressOf(request: Request): string {
  return request.ip ?? 'unknown';
}
