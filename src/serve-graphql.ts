import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { ExecutionResult } from 'graphql';
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

/**
 * Answers one GraphQL request. A subscription is written straight to the connection, by the "distinct connections"
 * mode of GraphQL over SSE, with a comment every `pingMs`. Yoga's own adapter would keep its request and three streams
 * for as long as the subscription is open, which is twice the memory.
 */
export async function serveGraphql(
  graphql: GraphqlHandler,
  exchange: Exchange,
  context: Omit<RequestContext, 'stream'>,
  { pingMs }: { readonly pingMs: number },
): Promise<void> {
  const results = await answer(graphql, exchange, context);
  if (results !== null) await sendResults(exchange.response, results, context.signal, pingMs);
}

type Results = AsyncIterable<ExecutionResult>;

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
  const answer = await graphql.fetch(`http://localhost${request.url}`, init, {
    ...context,
    stream,
  });
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (subscription.results === null) response.end(Buffer.from(await answer.arrayBuffer()));
  return subscription.results;
}

async function readRequest(request: IncomingMessage): Promise<RequestInit> {
  const { method = 'GET', headersDistinct } = request;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { method, headers, ...(hasBody && { body: await readBody(request) }) };
}

/** Yoga refuses what is longer than its limit, of which this is more. */
const maxBodyBytes = 2_000_000;

function readBody(request: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pieces: Buffer[] = [];
  let size = 0;
  const end = () => resolve(Buffer.concat(pieces).toString());
  const add = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBodyBytes) end();
  };
  request.on('data', add).on('end', end).on('error', reject);
  return promise.finally(() => {
    request.off('data', add).off('end', end).off('error', reject);
  });
}

async function sendResults(
  response: Response,
  results: Results,
  signal: AbortSignal,
  pingMs: number,
): Promise<void> {
  const iterator = results[Symbol.asyncIterator]();
  // The source may be in the middle of something that heeds the signal late; nobody waits for it.
  const leave = () => void Promise.resolve(iterator.return?.()).catch(() => {});
  response.once('close', leave);
  // Some clients wait for a first byte.
  response.write(':\n\n');
  const ping = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, pingMs);
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const isRoom = response.write(`event: next\ndata: ${JSON.stringify(next.value)}\n\n`);
      if (!isRoom) await once(response, 'drain', { signal });
    }
    response.end('event: complete\ndata:\n\n');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(ping);
  }
}
