import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { waitUntil } from '../wait-until.ts';

/** An HTTP server of a customer that receives webhooks. */
export interface WebhookReceiver {
  /** URL of the webhook, such as `http://127.0.0.1:40123/hook`. */
  readonly url: string;
  readonly port: number;
  /** All requests so far, oldest first. */
  readonly requests: readonly ReceivedWebhook[];
  /** Number of connections that clients opened, including connections that failed. */
  readonly connectionCount: number;
  /** Sets the response to all later requests. */
  replyWith(reply: Reply): void;
  /** Resolves when at least `count` requests have arrived. */
  waitForRequests(count: number): Promise<readonly ReceivedWebhook[]>;
  close(): Promise<void>;
}

export interface ReceivedWebhook {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
  readonly webhookHeaders: Record<string, string>;
  readonly body: string;
  readonly receivedAt: number;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<unknown>;
}

export type Reply =
  | 'silence'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Parts of the body, sent in order. A stream may never end. */
      readonly body?: Iterable<string> | AsyncIterable<string>;
    };

/** Starts the server on `host`. Uses TLS if a certificate is given. Responds with 204 by default. */
export async function startWebhookReceiver(
  host = '127.0.0.1',
  certificate?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<WebhookReceiver> {
  const requests: ReceivedWebhook[] = [];
  let connections = 0;
  let reply: Reply = { status: 204 };
  const receive: RequestListener = async (request, response) => {
    const closed = new Promise((resolve) => request.socket.once('close', resolve));
    const { method, url: path, headers } = request;
    const receivedAt = Date.now();
    const body = (await buffer(request)).toString();
    const webhookHeaders = pickWebhookHeaders(headers);
    requests.push({ method, path, headers, webhookHeaders, body, receivedAt, closed });
    await send(reply, response);
  };
  const server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    get connectionCount() {
      return connections;
    },
    replyWith(next) {
      reply = next;
    },
    async waitForRequests(count) {
      await waitUntil(() => requests.length >= count, { intervalMs: 20 });
      return requests;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pickWebhookHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  if (reply === 'silence') return;
  response.writeHead(reply.status ?? 200, reply.headers);
  response.flushHeaders();
  await pipeline(reply.body ?? [], response).catch(() => {}); // the sender may disconnect early
}
