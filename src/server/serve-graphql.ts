import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { requestIdOf, requestOrigin, requestSignal } from '../http/exchange.ts';
import { keepAliveComment, startKeepAlive } from '../http/keep-alive.ts';
import { endWithBackpressure, writeWithBackpressure } from '../http/send-events.ts';
import type { RequestContext } from '../schema/serving/graphql-server.ts';
import type { SubscriptionResults } from '../schema/serving/subscription-results.ts';

/** Executes GraphQL requests. The caller of this handler streams the results of subscriptions. */
export interface GraphqlHandler {
  fetch(
    url: string,
    init: RequestInit,
    context: RequestContext,
  ): Promise<globalThis.Response> | globalThis.Response;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

export interface GraphqlSettings {
  /** How often an idle subscription sends a comment, so that proxies keep it open. */
  readonly pingIntervalMs: number;
  /** How long a client may leave a subscription unread before the service disconnects the client. */
  readonly stallTimeoutMs: number;
  /** Aborts with a `DomainError` when the service stops and running requests must finish. */
  readonly stopping: AbortSignal;
}

/**
 * Creates the handler of GraphQL requests. A subscription is written directly to the connection, in the "distinct
 * connections" mode of GraphQL over SSE. Yoga's own adapter would keep its request and three streams while the
 * subscription is open, which takes twice the memory.
 */
export function serveGraphql(graphql: GraphqlHandler, settings: GraphqlSettings): RequestHandler {
  return async (request, response) => {
    if (request.get('Upgrade')?.toLowerCase().includes('websocket')) {
      response.status(400).json({ errors: [webSocketRefused] });
      return;
    }
    const results = await sendResponse(graphql, { request, response }, settings);
    if (results !== null) await streamResults(response, results, settings);
  };
}

const webSocketRefused = {
  message:
    'WebSockets are not supported: subscriptions use server-sent events. Send the subscription to /graphql/stream with the header "Accept: text/event-stream"',
  extensions: { code: 'MALFORMED_REQUEST' },
};

/** Sends the response. For a subscription, sends only the head and returns the results that must follow it. */
async function sendResponse(
  graphql: GraphqlHandler,
  { request, response }: Exchange,
  { stopping }: GraphqlSettings,
): Promise<SubscriptionResults | null> {
  const signal = requestSignal(response, stopping);
  const subscription: { results: SubscriptionResults | null } = { results: null };
  const init = await toRequestInit(request);
  if (init === null) {
    response.status(413).json({ errors: [bodyTooLong] });
    return null;
  }
  const answer = await graphql.fetch(`http://localhost${request.url}`, init, {
    signal,
    requestId: requestIdOf(response),
    origin: requestOrigin(request),
    setCaller: (caller) => {
      response.locals.caller = caller;
    },
    stream: (results) => {
      subscription.results = results;
    },
  });
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (answer.headers.get('Content-Type')?.startsWith('text/html')) {
    response.setHeader('Content-Security-Policy', graphiqlPolicy);
  }
  if (subscription.results === null) response.end(Buffer.from(await answer.arrayBuffer()));
  return subscription.results;
}

/** GraphiQL contains its scripts and styles, and creates workers and fonts from data. */
const graphiqlPolicy =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'; base-uri 'none'";

/** Returns null if the body is too long. */
async function toRequestInit(request: IncomingMessage): Promise<RequestInit | null> {
  const { method = 'GET', rawHeaders } = request;
  const headers: [string, string][] = [];
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    headers.push([rawHeaders[n] ?? '', rawHeaders[n + 1] ?? '']);
  }
  if (method === 'GET' || method === 'HEAD') return { method, headers };
  const body = await readBody(request);
  return body === null ? null : { method, headers, body };
}

/** Enough for a document of a million characters. JSON encodes some characters in six bytes. */
const maxBodyBytes = 6_500_000;

const bodyTooLong = {
  message: `The body must be at most ${maxBodyBytes} bytes`,
  extensions: { code: 'PAYLOAD_TOO_LARGE' },
};

function readBody(request: IncomingMessage): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const chunks: Buffer[] = [];
  let size = 0;
  const end = () => resolve(Buffer.concat(chunks).toString());
  const add = (piece: Buffer) => {
    chunks.push(piece);
    size += piece.length;
    if (size > maxBodyBytes) resolve(null);
  };
  request.on('data', add).on('end', end).on('error', reject);
  return promise.finally(() => {
    request.off('data', add).off('end', end).off('error', reject);
  });
}

async function streamResults(
  response: Response,
  results: SubscriptionResults,
  { pingIntervalMs, stallTimeoutMs }: GraphqlSettings,
): Promise<void> {
  const client = { response, stallTimeoutMs, log: results.log };
  // Some clients wait until they receive a first byte.
  response.write(keepAliveComment);
  using _ping = startKeepAlive(response, () => keepAliveComment, pingIntervalMs);
  try {
    for (let next = await results.next(); next !== null; next = await results.next()) {
      if (response.destroyed) return;
      await writeWithBackpressure(client, `event: next\ndata: ${JSON.stringify(next)}\n\n`);
    }
    response.write('event: complete\ndata:\n\n');
  } finally {
    results.close();
    await endWithBackpressure(client);
  }
}
