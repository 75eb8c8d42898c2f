import type { Request, RequestHandler, Response } from 'express';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import type { RequestScope } from '../../domain/context.ts';
import { requireScope } from '../../domain/permissions.ts';
import {
  type RateLimit,
  rateWindowSeconds,
  requireWithinRateLimit,
} from '../../domain/usage/rate-limit.ts';
import {
  type ResponseLocals,
  requestIdOf,
  requestOrigin,
  requestSignal,
  sendJson,
} from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import type { UploadedFile } from '../../platform/storage/uploaded-file.ts';
import { idempotencyKeyHeaderName } from '../openapi/openapi-idempotency.ts';
import { executeIdempotently } from './execute-idempotently.ts';
import { getOperation, type Operation } from './operations.ts';
import { createInputReader, type OperationInput } from './read-input.ts';
import { isMultipart, readUpload } from './read-upload.ts';
import type { KeyApiDependencies, RestCall, RestDependencies } from './rest-call.ts';

/** An operation as the generated routes describe it. */
export interface OperationRoute {
  readonly operationId: string;
  /** Status of a successful response with a body. A response without a body has 204. */
  readonly status: number | undefined;
  /** The source of each parameter of the controller method, such as `path:documentId`. */
  readonly arguments: Readonly<Record<string, string>>;
  run(call: RestCall, given: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type ServeOperation = (route: OperationRoute) => RequestHandler;

/**
 * Creates the handlers of the generated routes. Each handler checks in this order: key, rate limit, scope, shape of the
 * request, project. If the caller lacks the scope, the body is not read.
 */
export function serveOperation(service: RestDependencies): ServeOperation {
  return (route) => {
    const operation = getOperation(route.operationId);
    const { form } = operation;
    const readInput = createInputReader(form === null ? operation : withoutProjectQuery(operation));
    const readFormInput = createInputReader({ ...operation, body: { type: 'none' } });

    return async (request, response) => {
      const call = await openCall(service, request, response, (caller) => {
        for (const scope of operation.scopes) requireScope(caller, scope);
      });
      const { caller, context } = call;
      const isForm = form !== null && (operation.body.type === 'none' || isMultipart(request));
      const input = await (isForm ? readFormInput : readInput)(request, caller);
      await using upload = isForm
        ? await readUpload(request, response, {
            limitBytes: await service.uploadLimitBytes(context),
            fields: form,
          })
        : null;
      const { projectIdOrError: project } = input;
      if (project instanceof DomainError) throw project;
      response.locals.projectId = project;

      const body = upload === null ? input.body : upload.fields;
      const given = { ...input, body, project, path: request.params, file: upload?.file };
      const run = async (call: RestCall) => {
        const result = await route.run(call, controllerArguments(route, given));
        if (!response.headersSent) await sendResult(call, route.status, result);
      };
      const key = input.headers[idempotencyKeyHeaderName];
      if (typeof key !== 'string') await run(call);
      else await executeIdempotently(service, call, { key, operation, ...given }, run);
    };
  };
}

/** In an operation with a JSON body, the body contains `projectId`. So the query must not contain it. */
function withoutProjectQuery(operation: Operation): Operation {
  const { projectId: _, ...properties } = operation.query.properties;
  return operation.body.type === 'json'
    ? { ...operation, query: { ...operation.query, properties } }
    : operation;
}

/**
 * Authenticates the API key of a request, checks the caller with `authorize`, and returns the call for the controller.
 */
export async function openCall(
  service: KeyApiDependencies,
  request: Request,
  response: Response,
  authorize: (caller: ApiKeyCaller) => void,
): Promise<RestCall> {
  const receivedAt = performance.now();
  const caller = await authenticate(service, request, response);
  authorize(caller);
  const context = service.contextFor(
    caller,
    requestScope(request, response, { ...service, receivedAt }),
  );
  const { schema, stallTimeoutMs } = service;
  return { schema, caller, context, response, stallTimeoutMs, recorder: null };
}

/** Returns the request's data for a context. The request arrived at `receivedAt`. */
export function requestScope(
  request: Request,
  response: Response,
  { stopping, receivedAt }: { readonly stopping: AbortSignal; readonly receivedAt: number },
): RequestScope {
  return {
    signal: requestSignal(response, stopping),
    requestId: requestIdOf(response),
    origin: requestOrigin(request),
    receivedAt,
  };
}

/** Authenticates the API key. All later responses to the request contain the key's rate limit in their headers. */
async function authenticate(
  service: KeyApiDependencies,
  request: Request,
  response: Response<unknown, ResponseLocals>,
): Promise<ApiKeyCaller> {
  const { caller, rateLimit } = await service.authenticate(request.get('Authorization'));
  response.locals.caller = caller;
  response.setHeaders(rateLimitHeaders(rateLimit));
  requireWithinRateLimit(rateLimit);
  return caller;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. The OpenAPI document describes them. */
function rateLimitHeaders({ limit, remaining, resetSeconds }: RateLimit): Map<string, string> {
  return new Map([
    ['RateLimit-Policy', `"default";q=${limit};w=${rateWindowSeconds}`],
    ['RateLimit', `"default";r=${remaining};t=${resetSeconds}`],
  ]);
}

interface OperationRequest extends OperationInput {
  readonly path: Request['params'];
  readonly file: UploadedFile | undefined;
  readonly project: string;
}

/** The arguments always contain the project id in body and query, even if the key implies the project. */
function controllerArguments(
  route: OperationRoute,
  given: OperationRequest,
): Record<string, unknown> {
  const projectId = given.project;
  const argument = (source: string): unknown => {
    const [location, name = ''] = source.split(':');
    switch (location) {
      case 'body':
        return { ...given.body, projectId, ...(given.file !== undefined && { file: given.file }) };
      case 'queries':
        return { ...given.query, projectId };
      case 'path':
        return given.path[name];
      case 'formData':
        return name === 'file' ? given.file : given.body[name];
      default:
        throw new Error(`${route.operationId} has a parameter from an unknown source: ${source}`);
    }
  };
  return Object.fromEntries(
    Object.entries(route.arguments).map(([name, source]) => [name, argument(source)]),
  );
}

async function sendResult(
  call: RestCall,
  status: number | undefined,
  result: unknown,
): Promise<void> {
  if (result === undefined) call.response.status(204).end();
  else await sendAndStoreJson(call, status ?? 200, result);
}

/** Sends a JSON response and stores it, so that a repeated request gets the same response. */
export async function sendAndStoreJson(
  call: RestCall,
  status: number,
  body: unknown,
): Promise<void> {
  await call.recorder?.recordJson(status, JSON.stringify(body));
  sendJson(call.response, status, body);
}
