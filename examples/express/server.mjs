import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createChatHandler } from '@grounded-chat/client';
import express from 'express';

const {
  GROUNDED_CHAT_URL = 'http://127.0.0.1:3000',
  GROUNDED_CHAT_KEY,
  PORT = '4000',
  SITE = 'public',
} = process.env;

const handle = createChatHandler({
  baseUrl: GROUNDED_CHAT_URL,
  apiKey: GROUNDED_CHAT_KEY,
  // Read the session of your site here. Return null for visitors who are not allowed to chat.
  identify: (request) => ({ endUserId: request.headers.get('x-demo-user') ?? 'guest' }),
});

const app = express().use(express.static(SITE));

// In the browser, create the client with createClient({ baseUrl: '/support' }).
app.all('/support/api/v1/*path', async (req, res) => {
  const left = new AbortController();
  res.on('close', () => left.abort());
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
  const request = new Request(new URL(req.url, 'http://localhost'), {
    method: req.method,
    headers: new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
    signal: left.signal,
    ...(hasBody && { body: Readable.toWeb(req), duplex: 'half' }),
  });
  const response = await handle(request);
  res.writeHead(response.status, Object.fromEntries(response.headers));
  // Ignores the error of a visitor who leaves while the answer is sent.
  await pipeline(response.body ?? [], res).catch(() => {});
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/support`);
});
