import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { serviceStops } from './domain/errors.ts';
import { refuseMalformed } from './rest/refuse-malformed.ts';

export interface WebServer {
  /** The address it listens on, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Says that it is going to stop, to whoever asks whether it is ready. */
  drain(): void;
  /** Takes no new requests, lets running ones end for a while, then closes. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** How long running requests may go on when the server stops. */
  readonly stopGraceMs: number;
  readonly log: Logger;
}

export interface StopSignals {
  /** Aborts when no new requests are wanted. */
  readonly draining: AbortSignal;
  /** Aborts with a `DomainError` when running requests are to end. */
  readonly stopping: AbortSignal;
}

/** Serves an app until it is stopped. Rejects when it cannot listen. */
export async function listenGently(
  createApp: (signals: StopSignals) => Express,
  { host, port, stopGraceMs, log }: ListenOptions,
): Promise<WebServer> {
  const draining = new AbortController();
  const stopping = new AbortController();
  const app = createApp({ draining: draining.signal, stopping: stopping.signal });
  const settings = { requireHostHeader: false, ...messageClasses(app) };
  const server = createServer(settings, (request, response) => {
    // Or a proxy would keep the connection for its next request.
    if (draining.signal.aborted) response.setHeader('Connection', 'close');
    app(request, response);
  });
  refuseMalformed(server, log);
  const sockets = socketsOf(server);
  // Longer than the idle time-out of common proxies, so that they and not we end a connection.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  server.requestTimeout = 300_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: addressOf(server, host),
    drain: () => draining.abort(),
    stop() {
      draining.abort();
      return closeGently(server, sockets, stopping, stopGraceMs);
    },
  };
}

/**
 * Express gives each request and response its prototype, for which V8 makes a hidden class of its own each time: 2 kB
 * for as long as they live. Those made by these classes have it already.
 */
function messageClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = inherit(Request.prototype, app.request);
  app.response = inherit(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

function inherit<T extends object>(prototype: object, from: T): T {
  return Object.setPrototypeOf(prototype, from);
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Those that are open. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** How long requests that were told to end have to say so. */
const farewellMs = 500;
/** Connections whose request began before the server stopped become idle without being closed. */
const idleCheckMs = 200;
/** How long a connection may have been opened for its first request to come. */
const firstRequestMs = 1_000;

function closeGently(
  server: Server,
  sockets: ReadonlySet<Socket>,
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    // What came while the process was busy is read between the two.
    const silent = setTimeout(() => setImmediate(closeSilent, sockets), firstRequestMs);
    const tell = setTimeout(() => stopping.abort(serviceStops()), graceMs);
    const force = setTimeout(() => server.closeAllConnections(), graceMs + farewellMs);
    server.close(() => {
      clearInterval(idle);
      for (const timer of [silent, tell, force]) clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Browsers open connections for requests to come. Node takes one on which nothing was ever asked for a busy one. */
function closeSilent(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
