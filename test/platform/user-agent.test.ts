import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openAiEmbeddingModel } from '../../src/models/openai/openai-embedding-model.ts';
import { httpReranker } from '../../src/models/reranker/http-reranker.ts';
import { createOidcProvider } from '../../src/platform/oidc/oidc-provider.ts';
import { createSupabaseStorage } from '../../src/platform/storage/supabase-storage.ts';
import { fetchConfirmedEmail } from '../../src/platform/supabase-users.ts';
import { createWebClient } from '../../src/platform/web/http-web-client.ts';

const userAgent = `grounded-chat/${packageJson.version}`;

let server: Server;
let url: string;
let received: (string | undefined)[];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request.headers['user-agent']);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const signal = new AbortController().signal;
const model = () => ({ baseUrl: url, apiKey: 'sk-test', model: 'model' });

test.each<[string, () => Promise<unknown>]>([
  ['a source', () => createWebClient({ allowsPrivateTargets: true }).send(webRequest(), signal)],
  ['an embedding model', () => openAiEmbeddingModel(model()).embed(['text'])],
  ['a reranker', () => httpReranker(model()).score('question', ['text'], signal)],
  ['a sign-in provider', () => createOidcProvider(provider()).begin()],
  ['Supabase Auth', () => fetchConfirmedEmail({ url, apiKey: 'key' }, 'token')],
  ['Supabase Storage', () => createSupabaseStorage({ url, secretKey: 'key' }).check()],
])('a request to %s names the service and its version', async (_, call) => {
  // The server refuses every request.
  await call().catch(() => undefined);
  expect(received.length).toBeGreaterThan(0);
  expect(new Set(received)).toEqual(new Set([userAgent]));
});

function webRequest() {
  return { url: `${url}/page`, maxBytes: 1_000 };
}

function provider() {
  const client = { clientId: 'id', clientSecret: 'secret', scopes: 'openid' };
  return { ...client, issuer: url, redirectUri: `${url}/callback` };
}
