import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { VisitorCaller } from '../../domain/caller.ts';
import type { Context, RequestOrigin } from '../../domain/context.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OpenWidget } from '../../domain/widget/open-widget.ts';
import { asDomainError, statusOf } from '../errors.ts';
import { prepareResponse, requestIdOf } from '../prepare-response.ts';
import { readJsonBody } from '../read-json-body.ts';
import { requestSignal } from '../request-signal.ts';
import { endRoutes } from '../rest-router.ts';
import { sendJson } from '../send-json.ts';
import { sendEvents } from '../sse.ts';
import { compileCheck } from '../validate.ts';
import { allowOrigin, answerPreflight } from './cross-origin.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';
import { type VisitorOperation, visitorOperations } from './visitor-operations.ts';

/** Where the widget's interface gets everything it does not do itself. */
export interface WidgetService {
  readonly schema: GraphQLSchema;
  /** Throws `FORBIDDEN`. */
  openWidget(page: { publishableKey: string; origin: string | undefined }): Promise<OpenWidget>;
  /** Who holds the token, or throws `UNAUTHENTICATED`. */
  verifyVisitor(widget: OpenWidget, authorization: string | undefined): Promise<Visitor>;
  /** For a visitor or, without one, for a new one. */
  signToken(widget: OpenWidget, visitorId?: string): Promise<string>;
  /** Throws `RATE_LIMITED`. */
  countVisit(
    widget: OpenWidget,
    visit: { visitorId: string | null; address: string; points: number },
  ): Promise<void>;
  networkOf(address: string): string;
  contextFor(caller: VisitorCaller, request: RequestOrigin): Context;
  readonly log: Logger;
  readonly stallTimeoutMs: number;
  readonly stopping: AbortSignal;
}

interface Visitor {
  readonly visitorId: string;
  readonly caller: VisitorCaller;
}

/**
 * What the chat on web sites talks to, at `/<publishable key>/<operation>`. It is no public interface: it changes with
 * the script, which comes from the same process. Each request is judged anew, in this order: key and origin, visitor,
 * rate limit, body. The key stands in the path because a preflight, which carries no other header, is judged by it.
 */
export function widgetRouter(service: WidgetService): Router {
  const router = Router({ caseSensitive: true });
  router.use(prepareResponse(), (_request, response, next) => {
    response.vary('Origin');
    next();
  });
  router.options('/:key/:operation', async (request, response) => {
    try {
      await admitPage(service, request, response);
    } catch (error) {
      // Where this fails, browsers do not send what would have told the page that it may come back.
      if (!isOurFault(error)) throw error;
    }
    answerPreflight(response);
  });
  router.post('/:key/visit', serveVisit(service));
  const streams = createOpenStreams();
  for (const [name, operation] of Object.entries(visitorOperations)) {
    router.post(`/:key/${name}`, serveOperation(service, streams, operation));
  }
  endRoutes(router, service.log);
  return router;
}

/** A page that could not be judged may read that, and nothing else: it would look to it like a refusal. */
async function admitPage(
  service: WidgetService,
  request: Request,
  response: Response,
): Promise<OpenWidget> {
  const origin = request.get('Origin');
  try {
    const widget = await service.openWidget({
      publishableKey: String(request.params.key),
      origin,
    });
    allowOrigin(response, widget.origin);
    return widget;
  } catch (error) {
    if (origin !== undefined && isOurFault(error)) allowOrigin(response, origin);
    throw error;
  }
}

function isOurFault(error: unknown): boolean {
  return statusOf(asDomainError(error).code) >= 500;
}

/** What it costs to become a visitor: 60 new ones a minute from an address. */
const newVisitPoints = 10;

/** Gives a new token: to whoever has a valid one as the same visitor, to everybody else as a new one. */
function serveVisit(service: WidgetService): RequestHandler {
  return async (request, response) => {
    const widget = await admitPage(service, request, response);
    const visitorId = await knownVisitor(service, widget, request);
    const points = visitorId === null ? newVisitPoints : 1;
    await service.countVisit(widget, { visitorId, address: addressOf(request), points });
    const token = await service.signToken(widget, visitorId ?? undefined);
    sendJson(response, 200, { token, isKnown: visitorId !== null });
  };
}

async function knownVisitor(
  service: WidgetService,
  widget: OpenWidget,
  request: Request,
): Promise<string | null> {
  if (request.get('Authorization') === undefined) return null;
  try {
    return (await service.verifyVisitor(widget, request.get('Authorization'))).visitorId;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return null;
    throw error;
  }
}

function serveOperation(
  service: WidgetService,
  streams: OpenStreams,
  { points, body, answer }: VisitorOperation,
): RequestHandler {
  const check = compileCheck(body);
  return async (request, response) => {
    const widget = await admitPage(service, request, response);
    const { visitorId, caller } = await service.verifyVisitor(widget, request.get('Authorization'));
    response.locals.caller = caller;
    const address = addressOf(request);
    await service.countVisit(widget, { visitorId, address, points });

    const input = await readJsonBody(request, { schema: body, isRequired: true });
    const problems = check(input).map(({ message }) => message);
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);

    const { schema, stallTimeoutMs, stopping } = service;
    const signal = requestSignal(response, stopping);
    const context = service.contextFor(caller, { signal, requestId: requestIdOf(response) });
    const call = { schema, context };
    if (answer.type === 'json') return sendJson(response, 200, await answer.run(call, input));
    streams.add(service.networkOf(address), response);
    const frames = await answer.watch(call, input);
    await sendEvents({ response, context, stallTimeoutMs, record: null }, frames, (frame) => frame);
  };
}

/** As the trusted proxies tell it, where there are any. */
function addressOf(request: Request): string {
  return request.ip ?? 'unknown';
}
