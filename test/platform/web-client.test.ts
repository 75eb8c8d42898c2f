import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createWebClient } from '../../src/platform/web/http-web-client.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** Reads a page of a server that sends these bytes in the given parts. */
async function read(parts: readonly Buffer[]) {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.setNoDelay(true);
    socket.once('data', async () => {
      for (const part of parts) await new Promise((written) => socket.write(part, written));
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const client = createWebClient({ allowsPrivateTargets: true });
  const request = { url: `http://127.0.0.1:${port}/`, maxBytes: 100_000 };
  const result = await client.send(request, AbortSignal.timeout(10_000));
  if (result.type === 'failure') throw new Error(result.reason);
  return result;
}

const head = (lines: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(`HTTP/1.1 ${lines}\r\nConnection: close\r\n\r\n`, encoding);

describe('the address of a redirect', () => {
  test.each<[string, BufferEncoding, string]>([
    ['/café/Öffnung', 'utf8', '/café/Öffnung'],
    ['/料金', 'utf8', '/料金'],
    ['/café', 'latin1', '/café'],
    ['/caf%C3%A9', 'utf8', '/caf%C3%A9'],
  ])('%s is read from %s', async (location, encoding, expected) => {
    const lines = `301 Moved Permanently\r\nLocation: ${location}\r\nContent-Length: 0`;
    const { headers } = await read([head(lines, encoding)]);
    expect(headers.location).toBe(expected);
  });
});

describe('the body is decompressed from', () => {
  const text = '<p>Rope costs 4 euros per metre.</p>'.repeat(200);
  test.each([
    ['gzip', 'gzip', gzipSync(text)],
    ['x-gzip', 'x-gzip', gzipSync(text)],
    ['br', 'br', brotliCompressSync(text)],
    ['deflate', 'deflate', deflateSync(text)],
    ['deflate without the zlib header', 'deflate', deflateRawSync(text)],
    ['deflate without the zlib header, stored', 'deflate', deflateRawSync(text, { level: 0 })],
    ['deflate with the smallest window', 'deflate', deflateSync(text, { windowBits: 9 })],
  ])('%s, also if it arrives in single bytes', async (_, encoding, body) => {
    const start = head(`200 OK\r\nContent-Encoding: ${encoding}`);
    expect((await read([start, body])).body.toString()).toBe(text);
    const bytes = [...body.subarray(0, 20)].map((byte) => Buffer.from([byte]));
    const result = await read([start, ...bytes, body.subarray(20)]);
    expect(result.body.toString()).toBe(text);
  });

  test.each(['deflate', 'gzip', 'br'])('%s with an empty body', async (encoding) => {
    const lines = `200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: 0`;
    const { body } = await read([head(lines)]);
    expect(body.length).toBe(0);
  });

  test('deflate that is cut off is an error', async () => {
    const start = head(`200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 9999`);
    await expect(read([start, deflateRawSync(text).subarray(0, 20)])).rejects.toThrow();
    await expect(read([start])).rejects.toThrow();
  });
});
