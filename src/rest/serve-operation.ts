import type { Request, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { AuthenticatedKey } from '../domain/api-keys/authenticate-key.ts';
import { type ApiKeyCaller, requireScope } from '../domain/caller.ts';
import type { Context, RequestOrigin } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import type { KeyedRequest, KeyState } from '../domain/idempotency/claim-key.ts';
import type { UploadedFile } from '../domain/knowledge/uploaded-file.ts';
import { authenticateRequest } from './authenticate-request.ts';
import type { Call } from './call.ts';
import { answerOnce } from './idempotent-answer.ts';
import { getOperation } from './operations.ts';
import { requestIdOf } from './prepare-response.ts';
import { inputReader } from './read-input.ts';
import type { JsonObject } from './read-json-body.ts';
import { readUpload } from './read-upload.ts';
import { requestSignal } from './request-signal.ts';
import { answerJson } from './send-json.ts';

/** Where the facade gets everything it does not do itself. */
export interface RestService {
  readonly schema: GraphQLSchema;
  /** Throws `UNAUTHENTICATED`. */
  authenticate(authorization: string | undefined): Promise<AuthenticatedKey>;
  contextFor(caller: ApiKeyCaller, request: RequestOrigin): Context;
  uploadLimitBytes(context: Context): Promise<number>;
  /** Throws `IDEMPOTENCY_KEY_REUSED` or `IDEMPOTENCY_KEY_IN_USE`. */
  claimKey(context: Context, request: KeyedRequest): Promise<KeyState>;
  readonly log: Logger;
  readonly stallTimeoutMs: number;
  /** Aborts with a `DomainError` when running requests are to end. */
  readonly stopping: AbortSignal;
}

/** What the generated routes say of an operation. */
export interface OperationRoute {
  readonly operationId: string;
  /** Status of a success with a body; without one it is 204. */
  readonly status: number | undefined;
  /** The controller method's parameters by name: where each comes from, such as `path:documentId`. */
  readonly arguments: Readonly<Record<string, string>>;
  run(call: Call, given: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type ServeOperation = (route: OperationRoute) => RequestHandler;

/**
 * Makes the handlers of the generated routes. Each keeps the interface's order of checks: key, rate
 * limit, scope, shape of the request, project; the body is not read for a caller who may not send it.
 */
export function serveOperation(service: RestService): ServeOperation {
  return (route) => {
    const operation = getOperation(route.operationId);
    const readInput = inputReader(operation);

    return async (request, response) => {
      const caller = await authenticateRequest(request, response, service.authenticate);
      for (const scope of operation.scopes) requireScope(caller, scope);
      const signal = requestSignal(response, service.stopping);
      const context = service.contextFor(caller, { signal, requestId: requestIdOf(response) });

      const input = await readInput(request, caller);
      await using upload =
        operation.body.type === 'multipart'
          ? await readUpload(request, response, await service.uploadLimitBytes(context))
          : null;
      if (input.project instanceof DomainError) throw input.project;
      response.locals.projectId = input.project;

      const { schema, stallTimeoutMs } = service;
      const given = { ...input, project: input.project, path: request.params, file: upload?.file };
      const call = { schema, caller, context, response, stallTimeoutMs, record: null };
      await answerOnce(service, call, { operation, ...given }, async (call) => {
        const result = await route.run(call, argumentsOf(route, given));
        if (!response.headersSent) await answer(call, route.status, result);
      });
    };
  };
}

interface Given {
  readonly query: JsonObject;
  readonly body: JsonObject;
  readonly path: Request['params'];
  readonly file: UploadedFile | undefined;
  readonly project: string;
}

/** Body and query carry the project from here on, however the key chose it. */
function argumentsOf(route: OperationRoute, given: Given): Record<string, unknown> {
  const projectId = given.project;
  const argument = (source: string): unknown => {
    const [place, name = ''] = source.split(':');
    switch (place) {
      case 'body':
        return { ...given.body, projectId };
      case 'queries':
        return { ...given.query, projectId };
      case 'path':
        return given.path[name];
      case 'formData':
        return given.file;
      default:
        throw new Error(`${route.operationId} takes an argument from an unknown place: ${source}`);
    }
  };
  return Object.fromEntries(
    Object.entries(route.arguments).map(([name, source]) => [name, argument(source)]),
  );
}

async function answer(call: Call, status: number | undefined, result: unknown): Promise<void> {
  if (result === undefined) call.response.status(204).end();
  else await answerJson(call, status ?? 200, result);
}
