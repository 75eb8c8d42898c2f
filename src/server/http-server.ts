import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { serviceStoppingError } from '../platform/errors.ts';
import { ListenError } from './listen-error.ts';
import { rejectMalformedRequests } from './reject-malformed-requests.ts';

export interface HttpServer {
  /** URL of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Makes the readiness check fail, and asks clients to close their connections. */
  drain(): void;
  /** Refuses new connections, waits up to `stopGraceMs` for running requests, then closes the server. */
  stop(): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  /** Port of the server. 0 selects a free port. */
  readonly port: number;
  /** Whether this process does not share the port with others of `WEB_CONCURRENCY`. */
  readonly isExclusive?: boolean;
  /** How long running requests may continue when the server stops. */
  readonly stopGraceMs: number;
  /** Maximum number of open connections of all clients. Default: 20,000. */
  readonly maxConnections?: number;
  /** Maximum number of open connections of one address, or null for no limit. Default: 2,000. */
  readonly maxConnectionsPerAddress?: number | null;
  /** How long a client may take to send its headers or, on a new connection, the first byte. Default: 10 seconds. */
  readonly headersTimeoutMs?: number;
  readonly log: Logger;
}

export interface ShutdownSignals {
  /** Aborts when the server is about to stop. */
  readonly draining: AbortSignal;
  /** Aborts when the grace period for running requests is over. The reason is a `DomainError`. */
  readonly stopping: AbortSignal;
}

/** Starts a server for an app. Rejects with a `ListenError` if it cannot listen. */
export async function startHttpServer(
  createApp: (signals: ShutdownSignals) => Express,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { host, port, stopGraceMs, log, headersTimeoutMs = 10_000 } = options;
  const { maxConnections = 20_000, maxConnectionsPerAddress = 2_000 } = options;
  const draining = new AbortController();
  const stopping = new AbortController();
  const app = createApp({ draining: draining.signal, stopping: stopping.signal });
  const settings = {
    requireHostHeader: false,
    connectionsCheckingInterval: timeoutCheckIntervalMs,
    ...messageClasses(app),
  };
  const server = createServer(settings, app);
  rejectMalformedRequests(server, log);
  server.maxConnections = maxConnections;
  const sockets = trackSockets(server, maxConnectionsPerAddress ?? Infinity);
  // Longer than the idle time-out of common proxies, so that the proxy closes the connection first.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = 300_000;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(new ListenError(error));
    server.once('error', fail);
    server.listen({ port, host, backlog, exclusive: options.isExclusive ?? false }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return {
    url: urlOf(server, host),
    drain: () => draining.abort(),
    stop() {
      draining.abort();
      return drainAndClose(server, sockets, stopping, stopGraceMs);
    },
  };
}

/**
 * Returns message classes with Express's prototypes. Otherwise Express would set the prototype of each request and
 * response. V8 would then create a hidden class for each of them, which takes 2 kB for the lifetime of the request.
 */
function messageClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = setPrototype(Request.prototype, app.request);
  app.response = setPrototype(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

function setPrototype<T extends object>(prototype: object, from: T): T {
  return Object.setPrototypeOf(prototype, from);
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Maximum number of new connections that wait while the process is busy. With Node's default of 511, Linux resets some
 * of 1,000 clients that connect at once. The kernel also has a limit (`net.core.somaxconn`, 4096).
 */
const backlog = 4_096;

/** Interval at which Node checks for connections whose headers are late. */
const timeoutCheckIntervalMs = 1_000;

/**
 * Returns the set of open sockets. Destroys a new connection if its address already has `maxPerAddress` connections.
 */
function trackSockets(server: Server, maxPerAddress: number): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    const count = (counts.get(remoteAddress) ?? 0) + 1;
    if (count > maxPerAddress) {
      socket.destroy();
      return;
    }
    counts.set(remoteAddress, count);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (counts.get(remoteAddress) ?? 1) - 1;
      if (left === 0) counts.delete(remoteAddress);
      else counts.set(remoteAddress, left);
    });
  });
  return sockets;
}

/** How long aborted requests may take to send their last response. */
const shutdownTimeoutMs = 500;
/** Interval at which connections are closed that became idle after the server stopped. */
const idleCheckIntervalMs = 200;
/** How long a new connection may wait for its first request. */
const firstRequestTimeoutMs = 1_000;

function drainAndClose(
  server: Server,
  sockets: ReadonlySet<Socket>,
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckIntervalMs);
    // `setImmediate` lets Node read data that arrived while the process was busy.
    const closeUnused = setTimeout(
      () => setImmediate(closeUnusedSockets, sockets),
      firstRequestTimeoutMs,
    );
    const abortRequests = setTimeout(() => stopping.abort(serviceStoppingError()), graceMs);
    const forceClose = setTimeout(() => server.closeAllConnections(), graceMs + shutdownTimeoutMs);
    server.close(() => {
      clearInterval(idle);
      for (const timer of [closeUnused, abortRequests, forceClose]) clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Closes connections that browsers opened in advance. Node counts a connection without any request as busy. */
function closeUnusedSockets(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
