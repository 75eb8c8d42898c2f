import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { keys, type RestServer, startRestServer } from '../support/api/rest-server.ts';

let server: RestServer;
let client: RestClient;
const emptyPage = { data: [], page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false };
/** The next call of the schema throws this error. */
let failure: Error;

beforeAll(async () => {
  const fail = () => {
    throw failure;
  };
  server = await startRestServer({ sendMessage: fail, documentPage: () => emptyPage });
  client = restClient(server.baseUrl, keys.project);
});

afterAll(() => server[Symbol.asyncDispose]());

test('an invalid key returns 401 and names the authentication scheme', async () => {
  const response = restClient(server.baseUrl, 'sk_unknown').post('/chat?x=1', {});
  expect((await response).headers.get('WWW-Authenticate')).toBe('Bearer');
  expect(await expectErrorBody(response)).toMatchObject({
    statusCode: 401,
    error: 'Unauthorized',
    code: 'UNAUTHENTICATED',
    path: '/api/v1/chat',
  });
});

test('the key is checked before the scope, and the scope before the request shape', async () => {
  const broken = { method: 'POST', body: 'no json' };
  const send = (key: string) =>
    expectErrorBody(restClient(server.baseUrl, key).send('/chat', broken));
  expect(await send('sk_unknown')).toMatchObject({ statusCode: 401 });
  expect(await send(keys.withoutScopes)).toMatchObject({
    statusCode: 403,
    error: 'Forbidden',
    code: 'SCOPE_MISSING',
    message: 'The API key lacks the scope chat',
  });
  expect(await send(keys.project)).toMatchObject({ statusCode: 400 });
});

test.each([
  ['GET', '/nowhere'],
  ['HEAD', '/nowhere'],
  ['POST', '/Chat'],
  ['GET', '/'],
])('an unknown route returns 404 for any key: %s %s', async (method, path) => {
  const answer = restClient(server.baseUrl, null).send(path, { method });
  if (method === 'HEAD') return expect((await answer).status).toBe(404);
  const error = await expectErrorBody(answer);
  expect(error).toMatchObject({ statusCode: 404, error: 'Not Found', code: 'NOT_FOUND' });
});

test.each([
  ['GET', '/chat', 'POST'],
  ['PUT', '/chat', 'POST'],
  ['OPTIONS', '/chat', 'POST'],
  ['PATCH', '/knowledge/documents', 'GET, HEAD, POST'],
  ['PURGE', '/knowledge/documents', 'GET, HEAD, POST'],
  ['POST', `/knowledge/documents/${newId()}/`, 'PUT, PATCH, GET, HEAD, DELETE'],
  ['POST', '/openapi.json', 'GET, HEAD'],
])('a wrong method returns 405 for any key: %s %s', async (method, path, allow) => {
  const response = await restClient(server.baseUrl, null).send(path, { method });
  expect(response.headers.get('Allow')).toBe(allow);
  expect(await expectErrorBody(Promise.resolve(response))).toMatchObject({
    statusCode: 405,
    error: 'Method Not Allowed',
    code: 'METHOD_NOT_ALLOWED',
    message: `${method} is not allowed here. Allowed: ${allow}`,
  });
});

test('HEAD returns what GET does, without the body', async () => {
  for (const path of ['/knowledge/documents', '/openapi.json']) {
    const [head, whole] = [await client.send(path, { method: 'HEAD' }), await client.get(path)];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('Content-Length')).toBe(String((await whole.arrayBuffer()).byteLength));
  }
  const unknown = restClient(server.baseUrl, 'sk_unknown');
  expect((await unknown.send('/knowledge/documents', { method: 'HEAD' })).status).toBe(401);
});

/** Sends a path that `fetch` would refuse to send. */
async function sendMalformedPath(authorization: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.end(
    `GET /api/v1/knowledge/documents/%E0%A4%A HTTP/1.1\r\nHost: x\r\n${authorization}Connection: close\r\n\r\n`,
  );
  return text(socket);
}

test('malformed percent-encoding in the path returns 401 without a key', async () => {
  expect(await sendMalformedPath('')).toMatch(/^HTTP\/1\.1 401 Unauthorized/);
});

test('malformed percent-encoding in the path returns 400', async () => {
  const answer = await sendMalformedPath(`Authorization: Bearer ${keys.project}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    statusCode: 400,
    code: 'MALFORMED_REQUEST',
    path: '/api/v1/knowledge/documents/%E0%A4%A',
  });
});

test.each([
  ['NOT_FOUND', 404, 'Not Found'],
  ['CONFLICT', 409, 'Conflict'],
  ['QUOTA_EXCEEDED', 402, 'Payment Required'],
  ['PAYLOAD_TOO_LARGE', 413, 'Payload Too Large'],
  ['RATE_LIMITED', 429, 'Too Many Requests'],
  ['MODEL_ERROR', 502, 'Bad Gateway'],
  ['UNAVAILABLE', 503, 'Service Unavailable'],
] as const)('the error code %s maps to status %i', async (code, statusCode, error) => {
  failure = new DomainError(code, 'As the domain said');
  // OpenAPI does not document every code for this operation, so the test does not compare the response with OpenAPI.
  const answer = fetch(`${server.baseUrl}/chat`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys.project}`, 'Content-Type': 'application/json' },
    body: '{"message":"hi"}',
  });
  const body = await expectErrorBody(answer);
  expect(body).toMatchObject({ statusCode, error, code, message: 'As the domain said' });
});

test('an unexpected error discloses no details and is logged with the request id', async () => {
  failure = new Error('password=hunter2');
  const body = await expectErrorBody(client.post('/chat', { message: 'hi' }));
  expect(body).toMatchObject({ statusCode: 500, error: 'Internal Server Error', code: 'INTERNAL' });
  expect(JSON.stringify(body)).not.toContain('hunter2');
  expect(server.logLines.find((line) => line.includes(body.requestId))).toContain('hunter2');
});

test('a temporarily unavailable database or disk returns 503 without details', async () => {
  const cause = new Error('connect ECONNREFUSED 10.1.2.3:5432');
  failure = Object.assign(cause, { code: 'ECONNREFUSED', syscall: 'connect' });
  const body = await expectErrorBody(client.post('/chat', { message: 'hi' }));
  expect(body).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
  expect(body.message).not.toContain('10.1.2.3');
  expect(server.logLines.find((line) => line.includes(body.requestId))).toContain('10.1.2.3');
});

test('an error with a retry time sets Retry-After', async () => {
  failure = new DomainError('UNAVAILABLE', 'Soon', { retryAfterSeconds: 7 });
  const later = await client.post('/chat', { message: 'hi' });
  expect(later.headers.get('Retry-After')).toBe('7');
  failure = new DomainError('UNAVAILABLE', 'Some time');
  const sometime = await client.post('/chat', { message: 'hi' });
  expect(sometime.headers.get('Retry-After')).toBe('2');
});

test('a short plain request id is accepted; any other is replaced', async () => {
  const idFor = async (id: string) => {
    const response = await client.send('/nowhere', { headers: { 'X-Request-Id': id } });
    return response.headers.get('X-Request-Id');
  };
  expect(await idFor('trace-1.a_B')).toBe('trace-1.a_B');
  expect(await idFor('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idFor('a b')).toMatch(/^[0-9a-f-]{36}$/);
});

test('responses forbid caching, sniffing and framing', async () => {
  const { headers } = await client.get('/knowledge/documents');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('ETag')).toBeNull();
});

test('a client that keeps sending after its response is disconnected', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const timer = setInterval(() => socket.write('1\r\nx\r\n'), 200);
  socket.resume();
  await once(socket, 'close');
  clearInterval(timer);
}, 10_000);
