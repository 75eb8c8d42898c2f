import http, { IncomingMessage } from 'node:http';
import https from 'node:https';
import { traceHeaders } from '../../platform/tracing/tracer.ts';

/**
 * Sends a request and resolves with the head of its response. `openBody` reads the body. Has those parameters of
 * `fetch` that the SDK uses. Does not follow redirects. Uses Node's global agents, which use the proxies that are set
 * in the environment.
 *
 * Does not use `fetch`, because its body is a web stream. Each read of a web stream takes several times the processor
 * time of a Node stream, and an answer needs one read per token.
 */
export function httpFetch(
  url: string | URL | Request,
  { method, headers, body, signal }: RequestInit = {},
): Promise<Response> {
  const address = new URL(url instanceof Request ? url.url : url);
  const length = typeof body === 'string' && { 'content-length': Buffer.byteLength(body) };
  const request = { method, headers: { ...Object.fromEntries(new Headers(headers)), ...length } };
  return sendRequest(address, { ...request, ...(signal && { signal }) }, body).then(toResponse);
}

/**
 * Sends a request and resolves with the head of its response, even if the status is an error. If tracing is on, the request
 * carries the current trace, so that the model server can continue it.
 */
export function sendRequest(
  address: URL,
  options: http.RequestOptions,
  body: unknown,
): Promise<IncomingMessage> {
  const { request } = address.protocol === 'https:' ? https : http;
  const headers = { ...options.headers, 'accept-encoding': 'identity', ...traceHeaders() };
  return new Promise((resolve, reject) => {
    const call = request(address, { ...options, headers }, resolve);
    call.on('error', reject);
    call.end(typeof body === 'string' ? body : undefined);
  });
}

const bodies = new WeakMap<Response, IncomingMessage>();

/** Returns the response. For an error it has a body, because the SDK reads the text of the error. */
async function toResponse(message: IncomingMessage): Promise<Response> {
  const status = statusOf(message);
  const text = isSuccess(message) ? null : await readStart(message);
  const response = new Response(text, { status, headers: receivedHeaders(message) });
  if (text === null) bodies.set(response, message);
  return response;
}

export function isSuccess({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/** Returns the status. Replaces it with 502 if a `Response` that contains text cannot have this status. */
export function statusOf({ statusCode = 500 }: IncomingMessage): number {
  return statusCode < 200 || statusCode === 304 || statusCode > 599 ? 502 : statusCode;
}

export function receivedHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

const maxErrorBytes = 64 * 1024;

/**
 * Returns the start of a body. If the connection is lost, returns the part that has arrived, because the text of an
 * error is only logged.
 */
export async function readStart(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxErrorBytes) break;
    }
  } catch {
    // The connection was lost. The status has already arrived and is more informative.
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
}

export interface BodyReader {
  /** Returns all data that has arrived since the previous read, or null at the end. */
  read(): Promise<Uint8Array | null>;
  /** Closes the connection, unless the body was read to its end. */
  close(): void;
}

/** Opens the body of a response of `httpFetch` or `sendRequest`. */
export function openBody(response: Response | IncomingMessage): BodyReader {
  const message = response instanceof IncomingMessage ? response : bodies.get(response);
  if (message === undefined) throw new Error('The response has no body to read');
  let failure: Error | null = null;
  let isOver = false;
  let wake = () => {};
  message.on('readable', () => wake());
  message.on('end', () => {
    isOver = true;
    wake();
  });
  message.on('error', (error) => {
    failure = error;
    wake();
  });
  message.on('close', () => {
    if (!message.complete) failure ??= new Error('The connection was closed');
    isOver = true;
    wake();
  });
  return {
    async read() {
      for (;;) {
        if (failure !== null) throw failure;
        const bytes: Buffer | null = message.read();
        if (bytes !== null) return bytes;
        if (isOver) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      if (!isOver) message.destroy();
    },
  };
}
