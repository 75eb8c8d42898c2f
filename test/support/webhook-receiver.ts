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
import { vi } from 'vitest';

/** Somebody's server that is told of events, over real HTTP. */
export interface WebhookReceiver {
  /** Such as `http://127.0.0.1:40123/hook`. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly ReceivedWebhook[];
  /** How many connections have been opened, whatever came of them. */
  readonly connections: number;
  /** From now on requests are answered like this. */
  answer(reply: Reply): void;
  /** Resolves once there have been so many requests. */
  received(count: number): Promise<readonly ReceivedWebhook[]>;
  close(): Promise<void>;
}

export interface ReceivedWebhook {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** As Standard Webhooks names them. */
  readonly webhookHeaders: Record<string, string>;
  readonly body: string;
  readonly receivedAt: number;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<unknown>;
}

export type Reply =
  | 'silence'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Several are sent one after the other; a stream may never end. */
      readonly body?: Iterable<string> | AsyncIterable<string>;
    };

/**
 * Listens on `host`, the loopback address when left out; with TLS where a certificate is given. Answers 204 until told
 * otherwise.
 */
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
    get connections() {
      return connections;
    },
    answer(next) {
      reply = next;
    },
    async received(count) {
      await vi.waitUntil(() => requests.length >= count, { timeout: 15_000, interval: 20 });
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
  await pipeline(reply.body ?? [], response).catch(() => {}); // the sender has heard enough
}
