import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await sharedService();
  key = await (await service.createTenant()).key();
});

function post(path: string, authorization: string, body = '{"message": "Hello"}') {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  return fetch(service.url + path, { method: 'POST', headers, body });
}

test.each(['/graphql', '/graphql/stream'])(
  'a WebSocket at %s is refused with the address of event streams',
  async (path) => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol': 'graphql-transport-ws',
    };
    const request = get(service.url + path, { headers, agent: false });
    const [response]: IncomingMessage[] = await once(request, 'response');
    expect(response?.statusCode).toBe(400);
    const { errors } = JSON.parse(response === undefined ? '' : await text(response));
    expect(errors[0].message).toMatch(/server-sent events.*\/graphql\/stream/);
    expect(errors[0].extensions.code).toBe('MALFORMED_REQUEST');
  },
);

test.each(['/mcp', '/mcp/'])('MCP works at %s', async (path) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"result"');
});

test.each([
  ['no key', ''],
  ['a key without the word Bearer', 'sk_abc'],
  ['another scheme', 'Basic dXNlcjpwYXNz'],
  ['a key in quotes', 'Bearer "sk_abc"'],
  ['a key that is cut off', 'Bearer sk_abc'],
])('a request with %s is refused with the form of the header', async (_, authorization) => {
  const response = await post('/api/v1/chat', authorization);
  const { code, message } = await response.json();
  expect(response.status).toBe(401);
  expect(code).toBe('UNAUTHENTICATED');
  expect(message).toContain('"Authorization: Bearer sk_…"');
  expect(message).not.toContain('abc');
});

test('a body that is no JSON is refused with the position, and quotes nothing', async () => {
  const body = '{\n  "message": "Hello" secret\n}';
  const response = await post('/api/v1/chat', `Bearer ${key}`, body);
  const { code, message } = await response.json();
  expect(response.status).toBe(400);
  expect(code).toBe('MALFORMED_REQUEST');
  expect(message).toBe('The body is not valid JSON: line 2, column 22');
});

test.each([
  '/chat',
  '/api/chat',
  '/knowledge/documents/',
  '/conversations/01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
])('%s, which lacks the prefix, is not found, and the message names the prefix', async (path) => {
  const response = await post(path, `Bearer ${key}`);
  const { code, message, path: shown } = await response.json();
  expect(response.status).toBe(404);
  expect({ code, path: shown }).toEqual({ code: 'NOT_FOUND', path });
  expect(message).toBe('There is no such route: paths of the REST API begin with /api/v1');
});

test('another unknown path is not found, without a hint', async () => {
  const { message } = await (await post('/no-such-route', `Bearer ${key}`)).json();
  expect(message).toBe('There is no such route');
});
