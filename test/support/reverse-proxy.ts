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
 * What stands before several processes in production: takes turns among those that are ready, as their health says,
 * and passes on what they answer as it comes. A request that could not even be sent is tried at the next.
 */
export interface ReverseProxy {
  readonly url: string;
  /** Puts a process in this place, in the stead of the one that was there. */
  place(index: number, url: string): void;
  close(): Promise<void>;
}

const checkMs = 250;

export async function startReverseProxy(): Promise<ReverseProxy> {
  const upstreams: Upstream[] = [];
  let turn = 0;
  const inTurn = () => {
    turn += 1;
    const known = upstreams.filter(({ isReady }) => isReady);
    const ready = known.length > 0 ? known : upstreams;
    return ready.map((_, n) => ready[(turn + n) % ready.length]).filter((one) => one !== undefined);
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    for (const upstream of inTurn()) {
      if (await passOn(upstream, request, body, response)) return;
    }
    fail(response, 'nobody is there');
  });
  const checks = setInterval(() => {
    for (const upstream of upstreams) void check(upstream);
  }, checkMs);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    place(index, url) {
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
    // One that is slow to answer is left as it is.
    if (!signal.aborted) upstream.isReady = false;
  }
}

/** Gives false where nobody has taken the request. */
function passOn(
  { url, agent }: Upstream,
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = requestUpstream(new URL(path ?? '/', url), { method, headers, agent });
    response.once('close', () => sent.destroy());
    sent.once('response', (answer) => {
      const { connection: _, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.on('data', (bytes) => response.write(bytes));
      answer.once('end', () => response.end());
      answer.once('error', () => response.destroy());
      resolve(true);
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const isUntaken = error.code === 'ECONNREFUSED' && !response.headersSent;
      if (!isUntaken) fail(response, `${error.code}`);
      resolve(!isUntaken);
    });
    sent.end(body);
  });
}

function fail(response: ServerResponse, reason: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502).end(reason);
}
