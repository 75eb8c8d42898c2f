import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { endForReader, writeToReader } from './rest/write-to-reader.ts';
import type { Results } from './schema/results.ts';
import type { RequestContext } from './schema/server.ts';

/** What answers GraphQL requests, but leaves the streaming of subscriptions to its caller. */
export interface GraphqlHandler {
  fetch(
    url: string,
    init: RequestInit,
    context: RequestContext,
  ): Promise<globalThis.Response> | globalThis.Response;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: Response;
}

export interface StreamSettings {
  /** How often a silent subscription sends a comment, so that proxies keep it open. */
  readonly pingMs: number;
  /** How long a client may leave a subscription unread before it is cut off. */
  readonly stallTimeoutMs: number;
}

/**
 * Answers one GraphQL request. A subscription is written straight to the connection, by the "distinct connections"
 * mode of GraphQL over SSE. Yoga's own adapter would keep its request and three streams for as long as the
 * subscription is open, which is twice the memory.
 */
export async function serveGraphql(
  graphql: GraphqlHandler,
  exchange: Exchange,
  context: Omit<RequestContext, 'stream'>,
  settings: StreamSettings,
): Promise<void> {
  const results = await answer(graphql, exchange, context);
  if (results !== null) await sendResults(exchange.response, results, settings);
}

/** Sends the answer or, of a subscription, the head of it; gives what is to follow then. */
async function answer(
  graphql: GraphqlHandler,
  { request, response }: Exchange,
  context: Omit<RequestContext, 'stream'>,
): Promise<Results | null> {
  const subscription: { results: Results | null } = { results: null };
  const stream = (results: Results) => {
    subscription.results = results;
  };
  const init = await readRequest(request);
  if (init === null) {
    response.status(413).json({ errors: [bodyTooLong] });
    return null;
  }
  const answer = await graphql.fetch(`http://localhost${request.url}`, init, {
    ...context,
    stream,
  });
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (subscription.results === null) response.end(Buffer.from(await answer.arrayBuffer()));
  return subscription.results;
}

/** Null where the body is too long. */
async function readRequest(request: IncomingMessage): Promise<RequestInit | null> {
  const { method = 'GET', rawHeaders } = request;
  const headers: [string, string][] = [];
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    headers.push([rawHeaders[n] ?? '', rawHeaders[n + 1] ?? '']);
  }
  if (method === 'GET' || method === 'HEAD') return { method, headers };
  const body = await readBody(request);
  return body === null ? null : { method, headers, body };
}

/** A document of a million characters fits in, though JSON takes six bytes for some. */
const maxBodyBytes = 6_500_000;

const bodyTooLong = {
  message: `The body must be at most ${maxBodyBytes} bytes`,
  extensions: { code: 'PAYLOAD_TOO_LARGE' },
};

function readBody(request: IncomingMessage): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const pieces: Buffer[] = [];
  let size = 0;
  const end = () => resolve(Buffer.concat(pieces).toString());
  const add = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBodyBytes) resolve(null);
  };
  request.on('data', add).on('end', end).on('error', reject);
  return promise.finally(() => {
    request.off('data', add).off('end', end).off('error', reject);
  });
}

async function sendResults(
  response: Response,
  results: Results,
  { pingMs, stallTimeoutMs }: StreamSettings,
): Promise<void> {
  const reader = { response, stallTimeoutMs, log: results.log };
  // Some clients wait for a first byte.
  response.write(comment);
  const ping = setInterval(() => {
    if (!response.writableNeedDrain) response.write(comment);
  }, pingMs);
  try {
    for (let next = await results.next(); next !== null; next = await results.next()) {
      if (response.destroyed) return;
      await writeToReader(reader, `event: next\ndata: ${JSON.stringify(next)}\n\n`);
    }
    response.write('event: complete\ndata:\n\n');
  } finally {
    clearInterval(ping);
    results.close();
    await endForReader(reader);
  }
}

const comment = ':\n\n';
