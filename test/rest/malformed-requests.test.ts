import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setLatestExchange } from '../../src/http/exchange.ts';
import { rejectMalformedRequests } from '../../src/server/reject-malformed-requests.ts';
import { exchange, openConnection, type ParsedResponse } from '../support/api/raw-connection.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let port: number;
let key: string;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  port = Number(new URL(service.url).port);
  key = await (await service.createTenant()).key();
  client = restClient(`${service.url}/api/v1`, key);
});

/** Checks the format of an error response and returns its body. */
function parseErrorResponse(answer: ParsedResponse | undefined) {
  if (answer === undefined) throw new Error('There is no answer');
  const { status, headers, body } = answer;
  const error = JSON.parse(body);
  expect(error).toEqual({
    statusCode: status,
    error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
    message: expect.any(String),
    path: expect.any(String),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId: headers.get('X-Request-Id'),
  });
  expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(headers.get('Cache-Control')).toBe('no-store');
  return { status, code: error.code, path: error.path, headers, requestId: error.requestId };
}

async function sendAndParseError(bytes: string | Uint8Array) {
  const [answer, ...more] = await exchange(port, bytes);
  expect(more).toEqual([]);
  return parseErrorResponse(answer);
}

const list = '/api/v1/knowledge/documents';
const unread = { code: 'MALFORMED_REQUEST', status: 400 };
const unknown = { code: 'NOT_FOUND', status: 404 };

function post(path: string, headers: readonly string[], body = ''): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');
}

describe('malformed HTTP returns the error body and closes the connection', () => {
  test.each([
    ['no HTTP at all', 'what do you know about tides?\r\n\r\n', ''],
    ['TLS', Uint8Array.of(0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00), ''],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
    ['an unknown method', `BREW ${list} HTTP/1.1\r\nHost: x\r\n\r\n`, list],
    ['an unknown version', `GET ${list} HTTP/4.2\r\nHost: x\r\n\r\n`, ''],
    ['NUL in the path', `GET ${list}\0 HTTP/1.1\r\nHost: x\r\n\r\n`, ''],
    ['a path that is no ASCII', `GET ${list}/\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n`, ''],
    ['a space in the path', `GET ${list} x HTTP/1.1\r\nHost: x\r\n\r\n`, ''],
    ['a control character in a header', `GET ${list}?a HTTP/1.1\r\nA: \u0001\r\n\r\n`, list],
    ['a header without a name', `GET ${list} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`, list],
    ['a folded header', `GET ${list} HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n`, list],
    ['line feeds alone', `GET ${list} HTTP/1.1\nHost: x\n\n`, list],
    ['a head that ends early', Buffer.from(`GET ${list} HTTP/1.1\r\nHo\r\n\r\n`), list],
    ['two lengths', post(list, ['Content-Length: 2', 'Content-Length: 3'], '{}'), list],
    ['a length that is none', post(list, ['Content-Length: -1'], '{}'), list],
    [
      'a length and chunks',
      post(list, ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      list,
    ],
    ['an unknown transfer coding', post(list, ['Transfer-Encoding: identity'], '{}'), list],
    ['a malformed chunk', post(list, ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n'), list],
  ])('%s', async (_what, bytes, path) => {
    const { headers, ...refused } = await sendAndParseError(bytes);
    expect(refused).toMatchObject({ ...unread, path });
    expect(headers.get('Connection')).toBe('close');
  });

  test('each rejection has its own request id', async () => {
    const first = await sendAndParseError('nonsense\r\n\r\n');
    const second = await sendAndParseError('nonsense\r\n\r\n');
    expect(first.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.requestId).not.toBe(first.requestId);
  });

  test('oversized headers or paths return 431 to a client that keeps sending', async () => {
    const large = 'x'.repeat(5_000_000);
    const tooLarge = { status: 431, code: 'HEADERS_TOO_LARGE' };
    const header = await sendAndParseError(
      `GET ${list} HTTP/1.1\r\nHost: x\r\nA: ${large}\r\n\r\n`,
    );
    expect(header).toMatchObject({ ...tooLarge, path: list });
    const path = await sendAndParseError(`GET ${list}/${large} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(path).toMatchObject({ ...tooLarge, path: '' });
  });

  test('endless chunk extensions return 413', async () => {
    const body = `1;${'x'.repeat(20_000)}\r\n{\r\n`;
    const headers = [
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const refused = await sendAndParseError(post(list, headers, body));
    expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE', path: list });
  });

  test('an earlier request on the connection is answered first', async () => {
    const answers = await exchange(
      port,
      `GET ${list} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\nnonsense\r\n\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(parseErrorResponse(answers[1])).toMatchObject({ ...unread, path: '' });
  });

  test('nothing is appended to a response that was sent before the malformed request', async () => {
    const connection = await openConnection(port);
    connection.send(post(list, ['Transfer-Encoding: chunked']));
    await connection.waitFor('"UNAUTHENTICATED"');
    connection.send('zz\r\n');
    const [answer, ...more] = await connection.responses();
    expect(parseErrorResponse(answer)).toMatchObject({ status: 401 });
    expect(more).toEqual([]);
  });
});

describe('unusual but valid HTTP is served', () => {
  const get = (target: string, ...headers: string[]) =>
    [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...headers, '', ''].join(
      '\r\n',
    );
  const close = 'Connection: close';

  test('pipelined requests are answered in order', async () => {
    const bytes = get(`${list}?limit=1`) + get('/api/v1/nowhere') + get(`${list}?limit=2`, close);
    const answers = await exchange(port, bytes);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(answers.map(({ body }) => JSON.parse(body).limit)).toEqual([1, undefined, 2]);
  });

  test('an absolute request target', async () => {
    const [answer] = await exchange(port, get(`http://example.com${list}?limit=1`, close));
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ limit: 1 });
    const refused = await sendAndParseError(get('http://example.com/api/v1/nowhere?x=1', close));
    expect(refused).toMatchObject({ ...unknown, path: '/api/v1/nowhere' });
  });

  test('an unknown expectation', async () => {
    const [answer] = await exchange(port, get(list, 'Expect: a miracle', close));
    expect(answer?.status).toBe(200);
  });

  test('a client that sends Expect: 100-continue', async () => {
    const connection = await openConnection(port);
    const body = '{"query":"tides"}';
    const headers = [
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    connection.send(post('/api/v1/knowledge/search', headers));
    await connection.waitFor('HTTP/1.1 100 Continue');
    connection.send(body);
    expect((await connection.responses()).map(({ status }) => status)).toEqual([100, 200]);
  });

  test('a request to upgrade the protocol', async () => {
    const [answer] = await exchange(port, get(list, 'Upgrade: h2c', close));
    expect(answer?.status).toBe(200);
  });

  test('a chunked body, with content and empty', async () => {
    const send = async (chunks: string) => {
      const headers = [
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ];
      return (await exchange(port, post('/api/v1/knowledge/search', headers, chunks)))[0];
    };
    expect(await send('8\r\n{"query"\r\n9\r\n:"tides"}\r\n0\r\n\r\n')).toMatchObject({
      status: 200,
    });
    expect(parseErrorResponse(await send('0\r\n\r\n'))).toMatchObject(unread);
  });
});

describe('an HTTP/1.1 request must contain exactly one Host header', () => {
  test.each([
    ['no host', `GET ${list} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['two hosts', `GET ${list} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
  ])('%s', async (_what, bytes) => {
    expect(await sendAndParseError(bytes)).toMatchObject({ ...unread, path: list });
  });

  test('HTTP/1.0 requests need none', async () => {
    expect(await sendAndParseError(`GET ${list} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 401 });
  });
});

describe('a method without a route', () => {
  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'returns 405: %s',
    async (method) => {
      const refused = await sendAndParseError(
        `${method} ${list} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(refused).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED', path: list });
    },
  );

  test('returns 404: OPTIONS * and CONNECT', async () => {
    const head = 'HTTP/1.1\r\nHost: x:80\r\nConnection: close\r\n\r\n';
    expect(await sendAndParseError(`OPTIONS * ${head}`)).toMatchObject({ ...unknown, path: '*' });
    expect(await sendAndParseError(`CONNECT x:80 ${head}`)).toMatchObject({
      ...unknown,
      path: 'x:80',
    });
  });

  test('HEAD is served like GET, without a body', async () => {
    const connection = await openConnection(port);
    connection.send(`HEAD ${list} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [answer, ...more] = await connection.responses();
    expect(answer).toMatchObject({ status: 401, body: '' });
    expect(more).toEqual([]);
  });
});

describe('invalid text', () => {
  test.each([
    ['%00', 404],
    ['%20', 404],
    ['%2e%2e%2fchat', 404],
    ['%ED%A0%80', 400],
    ['%FF', 400],
    ['%', 400],
  ])('in the path matches no id: %s', async (id, status) => {
    const refused = await sendAndParseError(
      `GET ${list}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(refused).toMatchObject({ status, path: `${list}/${id}` });
  });

  test.each([
    ['search=%00', 400],
    ['search=%ED%A0%80', 400],
    ['search=a&search=b', 400],
    ['projectId=1&projectId=2', 400],
    ['__proto__=1&constructor=2&limit=1', 400],
    ['limit[]=1', 400],
    ['search=a%', 400],
  ])('in the query: %s', async (query, status) => {
    const answer = await client.get(`/knowledge/documents?${query}`);
    expect(answer.status).toBe(status);
    if (status !== 200) await expectErrorBody(Promise.resolve(answer));
  });

  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  test.each([
    ['nesting of 100,000 levels in a field', `{"query":${deep}}`, ['query must be a string']],
    ['the same in an unknown field', `{"query":"a","x":${deep}}`, ['x is not a known field']],
    [
      'the same in __proto__',
      `{"query":"a","__proto__":${deep}}`,
      ['__proto__ is not a known field'],
    ],
    [
      'a fault in every field',
      '{"query":"\\ud800","limit":"5","constructor":{},"toString":1}',
      [
        'query must be well-formed Unicode',
        'limit must be an integer between 1 and 50',
        'constructor is not a known field',
        'toString is not a known field',
      ],
    ],
    ['a field twice', '{"query":"a","query":0}', ['query must be a string']],
    ['half a pair', '{"query":"\\ude00\\ud83d"}', ['query must be well-formed Unicode']],
    ['NUL', '{"query":"a\\u0000"}', ['query must not contain NUL characters']],
  ])('in a body: %s', async (_what, body, message) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = client.send('/knowledge/search', { method: 'POST', headers, body });
    expect(await expectErrorBody(answer)).toMatchObject({ code: 'VALIDATION_FAILED', message });
  });
});

describe('a plain HTTP server', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function start(options: ServerOptions, answer: RequestListener): Promise<number> {
    server = createServer({ connectionsCheckingInterval: 20, ...options }, (request, response) => {
      setLatestExchange(request, response);
      answer(request, response);
    });
    rejectMalformedRequests(server, pino({ level: 'silent' }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  const read: RequestListener = (request, response) => {
    request.on('error', () => {}).on('end', () => response.end('read'));
    request.resume();
  };

  test('returns 408 for slow headers', async () => {
    const slow = await start({ headersTimeout: 50, requestTimeout: 60_000 }, read);
    const [answer, ...more] = await exchange(slow, 'GET /a?b HTTP/1.1\r\nHost');
    expect(parseErrorResponse(answer)).toMatchObject({
      status: 408,
      code: 'REQUEST_TIMEOUT',
      path: '',
    });
    expect(more).toEqual([]);
  });

  test('returns 408 for a slow body', async () => {
    const slow = await start({ headersTimeout: 50, requestTimeout: 50 }, read);
    const [answer, ...more] = await exchange(slow, post('/a?b', ['Content-Length: 5'], '{'));
    expect(parseErrorResponse(answer)).toMatchObject({
      status: 408,
      code: 'REQUEST_TIMEOUT',
      path: '/a',
    });
    expect(more).toEqual([]);
  });

  test('appends nothing to a response that has started', async () => {
    const hasty = await start({}, (request, response) => {
      request.on('error', () => {});
      response.writeHead(200, { 'Content-Length': 100 }).write('begun');
    });
    const connection = await openConnection(hasty);
    connection.send(post('/', ['Transfer-Encoding: chunked']));
    await connection.waitFor('begun');
    connection.send('zz\r\n');
    const [answer, ...more] = await connection.responses();
    expect(answer).toMatchObject({ status: 200, body: 'begun' });
    expect(more).toEqual([]);
  });

  test('survives a closed connection', async () => {
    await start({}, read);
    const connection = () => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const fault = (code: string) => Object.assign(new Error(code), { code });
    const gone = connection().destroy();
    await once(gone, 'close');
    expect(server?.emit('clientError', fault('HPE_INVALID_METHOD'), gone)).toBe(true);
    const reset = connection();
    expect(server?.emit('clientError', fault('ECONNRESET'), reset)).toBe(true);
    expect(reset.destroyed).toBe(true);
  });
});
