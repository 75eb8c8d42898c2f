import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { authenticateKey } from '../../domain/api-keys/authenticate-key.ts';
import { type ApiKeyCaller, scopeName } from '../../domain/caller.ts';
import { type Adapters, createContext } from '../../domain/context.ts';
import { addFallbackHandlers } from '../../http/errors.ts';
import {
  applyResponseDefaults,
  assignRequestId,
  requestIdOf,
  requestSignal,
} from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { schema } from '../../schema/schema.ts';
import { authenticate, type RestCall, type RestDependencies } from '../serve-operation.ts';

type Dependencies = Pick<
  RestDependencies,
  'schema' | 'authenticate' | 'contextFor' | 'log' | 'stallTimeoutMs' | 'stopping'
>;

/** Creates the MCP server over Streamable HTTP, to be mounted at `/mcp`. */
export function createMcpApi(
  adapters: Adapters,
  options: Pick<Dependencies, 'log' | 'stallTimeoutMs' | 'stopping'>,
): Router {
  return mcpRouter({
    schema,
    authenticate: authenticateKey.bind(undefined, adapters),
    contextFor: createContext.bind(undefined, adapters),
    ...options,
  });
}

function mcpRouter(service: Dependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), applyResponseDefaults());
  router.all('/', serveMcp(service));
  addFallbackHandlers(router, service.log);
  return router;
}

/** Serves one request. Each request has its own server with the tools of its key, so no state is kept between requests. */
function serveMcp(service: Dependencies): RequestHandler {
  const loadHandler = createHandlerLoader(service);
  return async (request, response: Response) => {
    rejectBrowsers(request);
    const caller = await authenticate(service, request, response);
    const projectId = resolveProject(caller, request.get('X-Project-Id'));
    response.locals.projectId = projectId;
    const signal = requestSignal(response, service.stopping);
    const context = service.contextFor(caller, { signal, requestId: requestIdOf(response) });
    const { schema, stallTimeoutMs } = service;
    const call = { schema, caller, context, response, stallTimeoutMs, recorder: null };
    const { fetch } = await loadHandler();
    const authInfo = toAuthInfo(call, projectId);
    await sendResponse(response, await fetch(toWebRequest(request, signal), { authInfo }));
  };
}

const maxBodyBytes = 16 * 1_048_576;

/** The package is loaded with the first request: most services have no MCP client. */
function createHandlerLoader({ log }: Dependencies) {
  const load = async () => {
    const [{ createMcpHandler }, { createServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts'),
    ]);
    return createMcpHandler((context) => createServer(readCall(context)), {
      maxRequestBodySize: maxBodyBytes,
      onerror: (error) => log.debug({ err: error }, 'MCP request failed'),
    });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/**
 * Refuses pages of other websites. An API key does not belong in a browser, and a page could reach a service in a private
 * network by rebinding its own name.
 * @throws DomainError FORBIDDEN
 */
function rejectBrowsers(request: Request): void {
  const origin = request.get('Origin');
  if (origin === undefined || origin === `${request.protocol}://${request.get('Host')}`) return;
  throw new DomainError('FORBIDDEN', 'MCP is not available to web pages');
}

/**
 * Returns the project of the key, or for an org-wide key the one in the header `X-Project-Id`.
 * @throws DomainError PROJECT_REQUIRED, PROJECT_FORBIDDEN or NOT_FOUND
 */
function resolveProject({ projectId }: ApiKeyCaller, given: string | undefined): string {
  const id = given ?? projectId;
  if (id === null) {
    const message = 'The header X-Project-Id is required: the API key is org-wide';
    throw new DomainError('PROJECT_REQUIRED', message);
  }
  if (projectId !== null && id !== projectId) {
    throw new DomainError('PROJECT_FORBIDDEN', 'The API key is restricted to a different project');
  }
  if (!isId(id)) throw new DomainError('NOT_FOUND', 'Project not found');
  return id;
}

/** The handler passes this on to the server of the request. */
function toAuthInfo(call: RestCall, projectId: string): AuthInfo {
  const { keyId, scopes } = call.caller;
  return {
    token: '',
    clientId: keyId,
    scopes: scopes.map(scopeName),
    extra: { call, projectId },
  };
}

function readCall({ authInfo }: McpRequestContext): { call: RestCall; projectId: string } {
  return authInfo?.extra as { call: RestCall; projectId: string };
}

function toWebRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const { method } = request;
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // The host is not used: the path is enough.
  return new globalThis.Request(new URL(request.originalUrl, 'http://localhost'), {
    ...{ method, headers, signal },
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
  });
}

async function sendResponse(response: Response, answer: globalThis.Response): Promise<void> {
  response.status(answer.status).setHeaders(answer.headers);
  if (answer.body === null) {
    response.end();
    return;
  }
  if (response.destroyed) return await answer.body.cancel();
  response.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(ignoreDisconnect);
  if (!response.writableFinished && !response.destroyed) await once(response, 'close');
}

function ignoreDisconnect(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.name !== 'AbortError') throw error;
}
