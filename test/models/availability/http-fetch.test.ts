import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { httpFetch, openBody } from '../../../src/models/availability/http-fetch.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function readText(response: Response): Promise<string> {
  const body = openBody(response);
  let text = '';
  for (let bytes = await body.read(); bytes !== null; bytes = await body.read()) {
    text += Buffer.from(bytes).toString();
  }
  return text;
}

test('sends method, headers and body, and reads the response', async () => {
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('x-seen', `${request.method} ${request.headers['x-key']}`).end(`<${body}>`);
  });
  const response = await httpFetch(url, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'é' });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-seen')).toBe('POST k');
  expect(await readText(response)).toBe('<é>');
});

test('returns a redirect and the text of an error without following or reading more', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://example.com/' }).end('moved');
  });
  const response = await httpFetch(url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(302);
  expect(await response.text()).toBe('moved');
});

test('an abort rejects a waiting request, and a read', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/body') response.write('first');
  });
  const controller = new AbortController();
  const head = httpFetch(url, { signal: controller.signal });
  const response = await httpFetch(`${url}body`, { signal: controller.signal });
  const body = openBody(response);
  expect(Buffer.from((await body.read()) ?? []).toString()).toBe('first');
  const rest = body.read();
  controller.abort();
  await Promise.all([head, rest].map((call) => expect(call).rejects.toThrow()));
});

test('a connection that closes before the end of the body is an error', async () => {
  const url = await serve((_request, response) => {
    response.write('part', () => response.destroy());
  });
  await expect(httpFetch(url).then(readText)).rejects.toThrow();
});

test('a connection whose response was read to its end is used again', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  for (let n = 0; n < 3; n += 1) await readText(await httpFetch(url));
  expect(ports.size).toBe(1);
});

test('closing a body that is not read closes its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    request.socket.on('close', () => closed.resolve());
    response.write('first');
  });
  openBody(await httpFetch(url)).close();
  await closed.promise;
});
