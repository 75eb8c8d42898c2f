import { type ErrorRequestHandler, Router } from 'express';
import type { Adapters } from '../domain/context.ts';
import { claimIdempotencyKey } from '../domain/idempotency/claim-idempotency-key.ts';
import { getUploadLimitBytes } from '../domain/upload-limit.ts';
import { addFallbackHandlers } from '../http/errors.ts';
import { applyResponseDefaults, assignRequestId, refuseOtherMethods } from '../http/exchange.ts';
import { registerRoutes } from './generated/routes.ts';
import { type KeyApiOptions, keyApiDependencies } from './key-api-dependencies.ts';
import { openApiRouter } from './openapi/openapi-router.ts';
import { openApi } from './request/operations.ts';
import type { RestDependencies } from './request/rest-call.ts';
import { openCall, serveOperation } from './request/serve-operation.ts';

/** Creates the public REST interface, to be mounted at `/api/v1`. */
export function createRestApi(adapters: Adapters, options: KeyApiOptions): Router {
  const dependencies = keyApiDependencies(adapters, 'REST', options);
  return restRouter({
    ...dependencies,
    uploadLimitBytes: getUploadLimitBytes,
    claimIdempotencyKey,
  });
}

/**
 * Creates the router of the REST API with the given dependencies. The router includes the OpenAPI document.
 */
export function restRouter(service: RestDependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), applyResponseDefaults());
  router.use(openApiRouter());
  registerRoutes(router, serveOperation(service));
  for (const [path, operations] of Object.entries(openApi.paths)) {
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), refuseOtherMethods(Object.keys(operations)));
  }
  router.use(checkKeyOfMalformedPath(service));
  addFallbackHandlers(router, service.log);
  return router;
}

/**
 * A path that cannot be decoded matches no route. So this handler checks the key: in all requests, the key is checked
 * before the shape of the request.
 */
function checkKeyOfMalformedPath(service: RestDependencies): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (error instanceof URIError) await openCall(service, request, response, () => {});
    next(error);
  };
}
