import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as requestUpstream,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A load balancer like those in production. It distributes requests round-robin among the processes whose health checks
 * succeed, and streams responses. If it cannot send a request to a process, it sends the request to the next one.
 */
export interface ReverseProxy {
  readonly url: string;
  /** Replaces the process at this index. */
  setUpstream(index: number, url: string): void;
  close(): Promise<void>;
}

const healthCheckIntervalMs = 250;

export async function startReverseProxy(): Promise<ReverseProxy> {
  const upstreams: Upstream[] = [];
  let nextIndex = 0;
  const roundRobin = () => {
    nextIndex += 1;
    const known = upstreams.filter(({ isReady }) => isReady);
    const ready = known.length > 0 ? known : upstreams;
    return ready
      .map((_, n) => ready[(nextIndex + n) % ready.length])
      .filter((one) => one !== undefined);
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    for (const upstream of roundRobin()) {
      if (await forward(upstream, request, body, response)) return;
    }
    sendBadGateway(response, 'nobody is there');
  });
  const checks = setInterval(() => {
    for (const upstream of upstreams) void check(upstream);
  }, healthCheckIntervalMs);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setUpstream(index, url) {
      upstreams[index]?.agent.destroy();
      const upstream = { url, isReady: false, agent: new Agent({ keepAlive: true }) };
      upstreams[index] = upstream;
      void check(upstream);
    },
    async close() {
      clearInterval(checks);
      for (const { agent } of upstreams) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Upstream {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

async function check(upstream: Upstream): Promise<void> {
  const signal = AbortSignal.timeout(2_000);
  try {
    upstream.isReady = (await fetch(`${upstream.url}/health/ready`, { signal })).ok;
  } catch {
    // If a health check timed out, the state does not change.
    if (!signal.aborted) upstream.isReady = false;
  }
}

/** Forwards a request. Returns false if it could not be sent. */
function forward(
  { url, agent }: Upstream,
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = requestUpstream(new URL(path ?? '/', url), { method, headers, agent });
    response.once('close', () => sent.destroy());
    sent.once('response', (answer) => {
      const { connection: _, ...responseHeaders } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, responseHeaders);
      answer.on('data', (bytes) => response.write(bytes));
      answer.once('end', () => response.end());
      answer.once('error', () => response.destroy());
      resolve(true);
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const isConnectionRefused = error.code === 'ECONNREFUSED' && !response.headersSent;
      if (!isConnectionRefused) sendBadGateway(response, `${error.code}`);
      resolve(!isConnectionRefused);
    });
    sent.end(body);
  });
}

function sendBadGateway(response: ServerResponse, reason: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502).end(reason);
}
