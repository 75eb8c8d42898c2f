import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { apiVersion, apiVersionHeaderName } from '../http/api-version.ts';
import { errorBody, httpStatusOf } from '../http/errors.ts';
import { getLatestExchange, pathOf, routeNotFound } from '../http/exchange.ts';
import { DomainError } from '../platform/errors.ts';

/**
 * Sends the standard error body to clients whose data never becomes a request: data that Node's HTTP parser refuses, a
 * request that does not arrive completely in time, and CONNECT. If a request has an unknown `Expect` header, the header
 * is ignored. The server's listener must call `setLatestExchange` for each request.
 */
export function rejectMalformedRequests(server: Server, log: Logger): void {
  const rejectedSockets = new WeakSet<Duplex>();

  const reject = (socket: Duplex, { code, message }: DomainError, path: string) => {
    if (!socket.writable) return;
    const status = httpStatusOf(code);
    const requestId = randomUUID();
    log.info({ requestId, status, code }, 'malformed request refused');
    const body = errorBody(status, { code, message, path, requestId });
    closeLingering(socket, serializeResponse(status, requestId, JSON.stringify(body)));
  };

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy()).resume();
    reject(socket, routeNotFound(), pathOf(request.url ?? ''));
  });
  server.on('clientError', (error: Error, socket: Duplex) => {
    if (rejectedSockets.has(socket)) return;
    rejectedSockets.add(socket);
    const rejection = rejectionFor(error);
    const lastExchange = getLatestExchange(socket);
    if (rejection === null) {
      socket.destroy();
    } else if (lastExchange === undefined || lastExchange.request.complete) {
      afterResponse(lastExchange?.response, () =>
        reject(socket, rejection, pathFromRawPacket(error)),
      );
    } else if (isPendingResponse(lastExchange.response, socket)) {
      reject(socket, rejection, lastExchange.path);
    } else {
      closeLingering(socket);
    }
  });
}

/** Returns null if the connection itself failed, because the client cannot receive a response then. */
function rejectionFor(error: Error): DomainError | null {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('HEADERS_TOO_LARGE', 'The headers are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('PAYLOAD_TOO_LARGE', 'A chunk has too many extensions');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('REQUEST_TIMEOUT', 'The request took too long to come');
    default:
      if (!code.startsWith('HPE_')) return null;
      return new DomainError('MALFORMED_REQUEST', 'The request is not valid HTTP');
  }
}

/**
 * Returns the path of the malformed request. Returns '' if this packet contains a complete request head before the
 * error.
 */
function pathFromRawPacket(error: Error): string {
  if (!('rawPacket' in error && error.rawPacket instanceof Buffer)) return '';
  const parsed = 'bytesParsed' in error ? Number(error.bytesParsed) : 0;
  const text = error.rawPacket.toString('latin1');
  if (text.slice(0, parsed).includes('\r\n\r\n')) return '';
  return pathOf(/^[A-Z]+ ([!-~]+) HTTP\/1\.[01]\r?\n/.exec(text)?.[1] ?? '');
}

/** Runs `act` after the response to the previous request on this connection is finished. */
function afterResponse(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) act();
  else response.once('close', act);
}

/** Whether this response is the next one on the connection and no part of it has been sent. */
function isPendingResponse(response: ServerResponse, socket: Duplex): boolean {
  return response.socket === socket && !response.headersSent;
}

function serializeResponse(status: number, requestId: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `${apiVersionHeaderName}: ${apiVersion}`,
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

const lingerTimeoutMs = 5_000;

/** Closes the connection with a delay. Closing at once would lose the response for a client that is still sending. */
function closeLingering(socket: Duplex, lastBytes = ''): void {
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), lingerTimeoutMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
