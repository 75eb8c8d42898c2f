import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A website that contains the widget and has a strict Content-Security-Policy. */
export interface HostPage {
  /** Origin of the site. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the site. `attributes` returns the HTML attributes for the script tag of the widget. */
export async function startHostPage(
  serviceUrl: string,
  attributes: () => string,
): Promise<HostPage> {
  const policy = [
    "default-src 'none'",
    `script-src ${serviceUrl}`,
    `connect-src ${serviceUrl}`,
    "img-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const server = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(204).end();
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    });
    return response.end(`<!doctype html>
<html lang="en">
<head><title>The Harbour Hotel</title></head>
<body><main><h1>The Harbour Hotel</h1><p>Rooms above the quay.</p></main>
<script src="${serviceUrl}/widget.js" ${attributes()} async></script>
</body>
</html>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
