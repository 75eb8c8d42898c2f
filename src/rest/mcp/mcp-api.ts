import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type ApiKeyCaller, scopeName } from '../../domain/caller.ts';
import type { Adapters } from '../../domain/context.ts';
import { addFallbackHandlers } from '../../http/errors.ts';
import { applyResponseDefaults, assignRequestId, refuseOtherMethods } from '../../http/exchange.ts';
import { endWithBackpressure, writeWithBackpressure } from '../../http/send-events.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { type KeyApiOptions, keyApiDependencies } from '../key-api-dependencies.ts';
import { readJsonBody } from '../read-json-body.ts';
import { type KeyApiDependencies, openCall, type RestCall } from '../serve-operation.ts';

/** Creates the MCP server over Streamable HTTP, to be mounted at `/mcp`. */
export function createMcpApi(adapters: Adapters, options: KeyApiOptions): Router {
  return mcpRouter(keyApiDependencies(adapters, options));
}

function mcpRouter(service: KeyApiDependencies): Router {
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), applyResponseDefaults());
  router.post('/', serveMcp(service));
  // GET and DELETE would be for sessions, which this server does not have.
  router.all('/', refuseOtherMethods(['POST']));
  addFallbackHandlers(router, service.log);
  return router;
}

/** Serves one request. Each request has its own server with the tools of its key, so no state is kept between requests. */
function serveMcp(service: KeyApiDependencies): RequestHandler {
  const loadHandler = createHandlerLoader(service);
  return async (request, response: Response) => {
    refuseWebPages(request);
    const call = await openCall(service, request, response, requireTools);
    const projectId = resolveProject(call.caller, request.get('X-Project-Id'));
    response.locals.projectId = projectId;
    // An object: a list of messages would be many calls for one count of the rate limit.
    const parsedBody = await readJsonBody(request, { schema: messageSchema, isRequired: true });
    const { fetch } = await loadHandler();
    const authInfo = toAuthInfo(call, projectId);
    const answer = await fetch(toWebRequest(request, call.context.signal), {
      authInfo,
      parsedBody,
    });
    await sendResponse(call, answer);
  };
}

/** Only for the length of a body: the longest is a document for `add_document`. */
const messageSchema = {
  type: 'object',
  properties: { params: { type: 'object', maxLength: 1_000_000 } },
} as const;

/** The package is loaded with the first request: most services have no MCP client. */
function createHandlerLoader({ log }: KeyApiDependencies) {
  const load = async () => {
    const [{ createMcpHandler }, { createServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts'),
    ]);
    return createMcpHandler((context) => createServer(readCall(context)), {
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
 * Refuses browsers: an API key does not belong in a web page.
 * @throws DomainError FORBIDDEN
 */
function refuseWebPages(request: Request): void {
  if (request.get('Origin') === undefined) return;
  throw new DomainError('FORBIDDEN', 'MCP is not available to web pages');
}

/** @throws DomainError SCOPE_MISSING when the key has no scope of a tool */
function requireTools({ scopes }: ApiKeyCaller): void {
  if (scopes.some((scope) => toolScopes.includes(scope))) return;
  const names = toolScopes.map(scopeName).join(', ');
  throw new DomainError('SCOPE_MISSING', `The API key needs one of the scopes ${names}`);
}

const toolScopes: ApiKeyCaller['scopes'] = ['CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'];

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

/** The body is passed on separately. Of the address only the path is used. */
function toWebRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new globalThis.Request(new URL('http://localhost/mcp'), {
    ...{ method: 'POST', headers, signal },
  });
}

async function sendResponse(
  { response, context, stallTimeoutMs }: RestCall,
  { status, headers, body }: globalThis.Response,
): Promise<void> {
  const client = { response, stallTimeoutMs, log: context.log };
  response.status(status);
  for (const [name, value] of headers) {
    if (name === 'content-type' || name.startsWith('mcp-')) response.setHeader(name, value);
  }
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    await writeWithBackpressure(client, part.value);
    if (response.destroyed) await reader?.cancel();
  }
  await endWithBackpressure(client);
}
