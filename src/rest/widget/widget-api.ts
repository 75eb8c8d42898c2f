import type { Router } from 'express';
import type { Logger } from 'pino';
import { type Adapters, createContext } from '../../domain/context.ts';
import { authenticateWidgetRequest } from '../../domain/widget/authenticate-widget-request.ts';
import { findPublicLook } from '../../domain/widget/find-public-look.ts';
import { startVisit } from '../../domain/widget/start-visit.ts';
import { consumeVisitorRateLimit } from '../../domain/widget/visitor-rate-limit.ts';
import { verifyVisitorToken } from '../../domain/widget/visitor-token.ts';
import { networkPrefix } from '../../platform/hash-address.ts';
import { widgetRouter } from './widget-router.ts';

/** Creates the API of the website widget, to be mounted at `/widget/v1`. */
export function createWidgetApi(
  adapters: Adapters,
  options: {
    readonly log: Logger;
    readonly stallTimeoutMs: number;
    readonly stopping: AbortSignal;
  },
): Router {
  return widgetRouter({
    authenticateWidgetRequest: (page) => authenticateWidgetRequest(adapters, page),
    verifyVisitorToken,
    startVisit: (widget, visit) => startVisit(adapters, widget, visit),
    findPublicLook: (publishableKey) => findPublicLook(adapters, publishableKey),
    consumeVisitorRateLimit: (widget, visit) => consumeVisitorRateLimit(adapters, widget, visit),
    networkOf: networkPrefix,
    contextFor: (caller, request) =>
      createContext(adapters, caller, { ...request, channel: 'WIDGET' }),
    ...options,
  });
}
