import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ErrorCode } from '../domain/errors.ts';
import { errorBody, pathOf, statusOf } from './errors.ts';

/**
 * Answers with the one error body what never becomes a request: what Node's HTTP parser refuses, a request
 * that does not come to an end in time, and CONNECT. An `Expect` that we do not know is ignored.
 */
export function refuseMalformed(server: Server, log: Logger): void {
  const lastExchanges = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, { code, message }: Refusal, path: string) => {
    if (!socket.writable) return;
    const status = statusOf(code);
    const requestId = randomUUID();
    log.info({ requestId, status, code }, 'malformed request refused');
    const body = errorBody(status, { code, message, path, requestId });
    endGently(socket, httpAnswer(status, requestId, JSON.stringify(body)));
  };

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    lastExchanges.set(request.socket, { request, response, path: pathOf(request.url ?? '') });
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy()).resume();
    refuse(socket, unknownRoute, pathOf(request.url ?? ''));
  });
  server.on('clientError', (error: Error, socket: Duplex) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const refusal = refusalOf(error);
    const last = lastExchanges.get(socket);
    if (refusal === null) {
      socket.destroy();
    } else if (last === undefined || last.request.complete) {
      afterAnswer(last?.response, () => refuse(socket, refusal, pathIn(error)));
    } else if (isDue(last.response, socket)) {
      refuse(socket, refusal, last.path);
    } else {
      endGently(socket);
    }
  });
}

/** The request that came in last on a connection, and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Before any router has shortened it. */
  readonly path: string;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const unknownRoute: Refusal = { code: 'NOT_FOUND', message: 'There is no such route' };

/** Null for an error of the connection, where there is no one to tell. */
function refusalOf(error: Error): Refusal | null {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'HEADERS_TOO_LARGE', message: 'The headers are too large' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'PAYLOAD_TOO_LARGE', message: 'A chunk has too many extensions' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'REQUEST_TIMEOUT', message: 'The request took too long to come' };
    default:
      if (!code.startsWith('HPE_')) return null;
      return { code: 'MALFORMED_REQUEST', message: 'The request is not valid HTTP' };
  }
}

/** The path of the request at fault, where it can be told: the parser fell over the first head of this packet. */
function pathIn(error: Error): string {
  if (!('rawPacket' in error && error.rawPacket instanceof Buffer)) return '';
  const parsed = 'bytesParsed' in error ? Number(error.bytesParsed) : 0;
  const text = error.rawPacket.toString('latin1');
  if (text.slice(0, parsed).includes('\r\n\r\n')) return '';
  return pathOf(/^[A-Z]+ ([!-~]+) HTTP\/1\.[01]\r?\n/.exec(text)?.[1] ?? '');
}

/** What was asked for before the fault is answered first. */
function afterAnswer(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined || response.writableFinished) act();
  else response.once('close', act);
}

/** Whether it is this answer's turn on the connection and nothing of it has been sent. */
function isDue(response: ServerResponse, socket: Duplex): boolean {
  return response.socket === socket && !response.headersSent;
}

function httpAnswer(status: number, requestId: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

const farewellMs = 5_000;

/** Closing at once would take the answer from a client that is still sending. */
function endGently(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), farewellMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
