import type { Router } from 'express';
import type { Logger } from 'pino';
import { type Adapters, createContext } from '../../domain/context.ts';
import { countVisit, networkOf } from '../../domain/widget/count-visit.ts';
import { requireOpenWidget } from '../../domain/widget/open-widget.ts';
import { signVisitorToken, verifyVisitor } from '../../domain/widget/visitor-token.ts';
import { schema } from '../../schema/schema.ts';
import { widgetRouter } from './widget-router.ts';

/** What the chat on web sites talks to, to be mounted at `/widget/v1`. */
export function createWidgetApi(
  adapters: Adapters,
  options: {
    readonly log: Logger;
    readonly stallTimeoutMs: number;
    readonly stopping: AbortSignal;
  },
): Router {
  return widgetRouter({
    schema,
    openWidget: (page) => requireOpenWidget(adapters, page),
    verifyVisitor,
    signToken: signVisitorToken,
    countVisit: (widget, visit) => countVisit(adapters, widget, visit),
    networkOf,
    contextFor: (caller, request) => createContext(adapters, caller, request),
    ...options,
  });
}
