import { Router } from 'express';
import type { Logger } from 'pino';
import { DomainError } from '../domain/errors.ts';
import { docsRouter } from './docs.ts';
import { handleErrors } from './errors.ts';
import { registerRoutes } from './generated/routes.ts';
import { assignRequestId, prepareResponse } from './prepare-response.ts';
import { type RestService, serveOperation } from './serve-operation.ts';

/**
 * The public interface as a router, complete with its description, its 404 and its error body.
 * What it does not know itself comes from `service`.
 */
export function restRouter(service: RestService): Router {
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), prepareResponse());
  router.use((request, _response, next) => {
    next(request.method === 'HEAD' || request.method === 'OPTIONS' ? unknownRoute() : undefined);
  });
  router.use(docsRouter());
  registerRoutes(router, serveOperation(service));
  endRoutes(router, service.log);
  return router;
}

/** Answers what nobody else has answered, and every error, with the one error body. */
export function endRoutes(router: Pick<Router, 'use'>, log: Logger): void {
  router.use(prepareResponse());
  router.use((_request, _response, next) => next(unknownRoute()));
  router.use(handleErrors(log));
}

function unknownRoute(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route');
}
