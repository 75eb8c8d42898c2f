import { randomUUID } from 'node:crypto';
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { scopeName } from '../../domain/permissions.ts';
import { addFallbackHandlers } from '../../http/errors.ts';
import { applyResponseDefaults, assignRequestId, refuseOtherMethods } from '../../http/exchange.ts';
import { endWithBackpressure, writeWithBackpressure } from '../../http/send-events.ts';
import { DomainError } from '../../platform/errors.ts';
import { type KeyApiOptions, keyApiDependencies } from '../key-api-dependencies.ts';
import { readJsonBody } from '../request/read-json-body.ts';
import type { KeyApiDependencies } from '../request/rest-call.ts';
import { createCancellations } from './cancellations.ts';
import { type McpCall, type McpDependencies, openMcpCall } from './open-mcp-call.ts';
import { challenge, type ProtectedResource } from './protected-resource.ts';

/** How operators sign in with OAuth. */
export interface McpSignIn {
  readonly resource: ProtectedResource;
  readonly authenticateOperator: NonNullable<McpDependencies['authenticateOperator']>;
}

/** Creates the MCP server over Streamable HTTP, to be mounted at `/mcp`. Without `signIn`, it accepts API keys only. */
export function createMcpApi(
  adapters: Adapters,
  options: KeyApiOptions & { readonly signIn: McpSignIn | null },
): Router {
  const { signIn } = options;
  const authenticateOperator = signIn?.authenticateOperator ?? null;
  const service = { ...keyApiDependencies(adapters, 'MCP', options), authenticateOperator };
  const router = Router({ caseSensitive: true });
  router.use(assignRequestId(), applyResponseDefaults());
  router.post('/', serveMcp(service, signIn?.resource ?? null));
  // GET and DELETE are for servers whose sessions have a state.
  router.all('/', refuseOtherMethods(['POST']));
  addFallbackHandlers(router, service.log);
  return router;
}

/**
 * Serves one request. Each request gets its own server with the tools of its caller, so nothing is kept between
 * requests.
 */
function serveMcp(service: McpDependencies, resource: ProtectedResource | null): RequestHandler {
  const loadHandler = createHandlerLoader(service);
  const cancellations = createCancellations();
  return async (request, response: Response) => {
    refuseWebPages(request);
    const call = await challenge(resource, request, response, () =>
      openMcpCall(service, request, response),
    );
    // The body must be one object. A list of messages would be many calls, but the rate limit would count only one.
    const parsedBody = await readJsonBody(request, { schema: messageSchema, isRequired: true });
    const client = `${call.clientId} ${sessionOf(request, response, parsedBody)}`;
    cancellations.cancel(client, parsedBody);
    using cancellable = cancellations.track(client, parsedBody);
    const { fetch } = await loadHandler();
    const authInfo = toAuthInfo(cancelBy(call, cancellable.signal));
    const answer = await fetch(toWebRequest(request, call.context.signal), {
      authInfo,
      parsedBody,
    });
    await sendResponse(call, answer);
  };
}

/**
 * Returns the session id that the client sends. If the message initializes a session, creates an id for it. A session
 * has no state: its id only distinguishes clients that use the same key.
 */
function sessionOf(request: Request, response: Response, message: unknown): string {
  const { method } = Object(message);
  if (method === 'initialize') response.setHeader('Mcp-Session-Id', randomUUID());
  return request.get('Mcp-Session-Id') ?? '';
}

function cancelBy(call: McpCall, signal: AbortSignal): McpCall {
  const { context } = call;
  return { ...call, context: { ...context, signal: AbortSignal.any([context.signal, signal]) } };
}

/** Used only to limit the length of a body. The longest body is a document for `add_document`. */
const messageSchema = {
  type: 'object',
  properties: { params: { type: 'object', maxLength: 1_000_000 } },
} as const;

/** Loads the package at the first request, because most services have no MCP client. */
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
 * Refuses browsers, because a key or an access token does not belong in a web page. Only a program on the same machine
 * may send an `Origin`, and only the origin of this service. If the host name of a page was made to point to this
 * machine (DNS rebinding), its origin has another name and is refused.
 * @throws DomainError FORBIDDEN when the request comes from a web page
 */
function refuseWebPages(request: Request): void {
  const origin = request.get('Origin');
  if (origin === undefined) return;
  const { host, hostname = '' } = URL.parse(origin) ?? {};
  if (host === request.get('Host') && loopbackNames.includes(hostname)) return;
  throw new DomainError('FORBIDDEN', 'MCP is not available to web pages');
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The handler passes this object to the server of the request. */
function toAuthInfo(call: McpCall): AuthInfo {
  const { clientId, scopes } = call;
  return { token: '', clientId, scopes: scopes.map(scopeName), extra: { call } };
}

function readCall({ authInfo }: McpRequestContext): McpCall {
  return authInfo?.extra?.call as McpCall;
}

/** Converts a request, without its body. The path is the only part of the URL that is used. */
function toWebRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new globalThis.Request(new URL('http://localhost/mcp'), {
    ...{ method: 'POST', headers, signal },
  });
}

async function sendResponse(
  { response, context, stallTimeoutMs }: McpCall,
  { status, headers, body }: globalThis.Response,
): Promise<void> {
  const client = { response, stallTimeoutMs, log: context.log };
  response.status(status);
  for (const [name, value] of headers) {
    if (name === 'content-type' || name.startsWith('mcp-')) response.setHeader(name, value);
  }
  // Keeps nginx from holding back the stream.
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
    response.setHeader('X-Accel-Buffering', 'no');
  }
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    await writeWithBackpressure(client, part.value);
    if (response.destroyed) await reader?.cancel();
  }
  await endWithBackpressure(client);
}
