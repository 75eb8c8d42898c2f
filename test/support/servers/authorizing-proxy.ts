import { once } from 'node:events';
import { createServer, request as requestUpstream } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that adds an API key to requests, for programs that cannot send one. */
export interface AuthorizingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startAuthorizingProxy(
  upstream: string,
  apiKey: string,
): Promise<AuthorizingProxy> {
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    const forwarded = requestUpstream(new URL(url, upstream), {
      method,
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
    });
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
