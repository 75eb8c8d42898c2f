import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUntil } from '../support/api/read-until.ts';
import { type CapturedLog, captureLog, type LogLine } from '../support/captured-log.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const modelKey = 'sk-of-the-model-server';
const marker = 'Zanzibarine';
const email = 'guest.of.honour@example.com';
const userId = '01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e99';

let captured: CapturedLog;
let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let key: string;
let orgWideKey: string;
let operator: string;

beforeAll(async () => {
  captured = captureLog();
  models = await startOpenAiServer({ apiKey: modelKey });
  service = await startTestService({
    log: captured.log,
    database: await sharedDatabase(),
    isGraphiqlOn: true,
    openAi: {
      baseUrl: models.baseUrl,
      apiKey: modelKey,
      chatModel: 'stand-in',
      embeddingModel: null,
    },
  });
  tenant = await service.createTenant();
  key = await tenant.key();
  orgWideKey = await tenant.key({ isOrgWide: true });
  operator = await tenant.memberToken('OWNER', { userId, email });
  await addDocuments(service, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

let sent = 0;

interface Sent {
  readonly requestId: string;
  readonly response: Response;
  readonly body: string;
}

/** Sends a request with a unique id and reads the complete response. */
async function send(path: string, init: RequestInit = {}): Promise<Sent> {
  const requestId = `request-${++sent}`;
  const headers = new Headers(init.headers);
  headers.set('X-Request-Id', requestId);
  const response = await fetch(`${service.url}${path}`, { ...init, headers });
  expect(response.headers.get('X-Request-Id')).toBe(requestId);
  return { requestId, response, body: await response.text() };
}

function post(path: string, body: object | string, bearer = key): Promise<Sent> {
  return send(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function get(path: string, bearer = key): Promise<Sent> {
  return send(path, { headers: { Authorization: `Bearer ${bearer}` } });
}

/** Waits until the response of a request has closed, and returns the log line of the request. */
async function requestLine(requestId: string): Promise<LogLine> {
  const find = () =>
    captured.lines().filter((line) => line.msg === 'request' && line.requestId === requestId);
  await waitUntil(() => find().length > 0);
  const [line, ...more] = find();
  expect(more).toEqual([]);
  return line ?? expect.fail('no line');
}

const api = '/api/v1';
const question = { message: 'Until when is check-out?' };

describe('the log line of a request', () => {
  test('contains caller, operation, result, duration and response size', async () => {
    const { requestId, response } = await get(`${api}/knowledge/documents?search=private`);
    expect(response.status).toBe(200);
    const line = await requestLine(requestId);
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      msg: 'request',
      requestId,
      method: 'GET',
      route: `${api}/knowledge/documents`,
      path: `${api}/knowledge/documents`,
      status: 200,
      outcome: 'done',
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
      keyId: expect.any(String),
      organizationId: tenant.organizationId,
      projectId: tenant.projectId,
    });
    expect(line.bytes).toBeGreaterThan(50);
  });

  test('names the project on which an org-wide key acts', async () => {
    const { requestId } = await get(
      `${api}/knowledge/documents?projectId=${tenant.projectId}`,
      orgWideKey,
    );
    expect(await requestLine(requestId)).toMatchObject({ projectId: tenant.projectId });
  });

  test("names the caller of a GraphQL operation: the key, or the operator's id", async () => {
    const query = '{ __typename }';
    const byKey = await post('/graphql', { query });
    expect(await requestLine(byKey.requestId)).toMatchObject({
      route: '/graphql',
      organizationId: tenant.organizationId,
    });
    const byOperator = await post('/graphql', { query }, operator);
    expect(await requestLine(byOperator.requestId)).toMatchObject({ userId });
  });

  test('reports an answer that was aborted by a disconnected client', async () => {
    models.script({ deltas: ['Until ', '11:00 '], end: 'stall' });
    const leaving = new AbortController();
    const response = await fetch(`${service.url}${api}/chat`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'X-Request-Id': 'left-early',
      },
      body: JSON.stringify({ ...question, stream: true }),
      signal: leaving.signal,
    });
    await readUntil(response, '"delta"');
    leaving.abort();
    expect(await requestLine('left-early')).toMatchObject({ status: 200, outcome: 'aborted' });
  });

  test('of a health probe is logged only at level debug', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const { requestId } = await send(path);
      expect(await requestLine(requestId)).toMatchObject({ level: 'debug', route: path });
    }
  });
});

describe('X-Request-Id', () => {
  const requests: [string, string, RequestInit][] = [
    ['an answer of REST', `${api}/openapi.json`, {}],
    ['a refusal of REST', `${api}/usage`, {}],
    ['an unknown route of REST', `${api}/nothing`, {}],
    ['a page', `${api}/docs`, {}],
    ['an unknown path', '/nothing', { method: 'PUT' }],
    ['a malformed path', '/%E0%A4%A', {}],
    ['GraphiQL', '/graphql', { headers: { Accept: 'text/html' } }],
    ['GraphQL without an operation', '/graphql', { method: 'POST' }],
    ['GraphQL of a wrong method', '/graphql', { method: 'DELETE' }],
    ['an answer of GraphQL', '/graphql?query={__typename}', {}],
    [
      'a stream of GraphQL',
      '/graphql/stream?query=subscription{__typename}',
      { headers: { Accept: 'text/event-stream' } },
    ],
    ['a live check', '/health/live', {}],
    ['a readiness check', '/health/ready', {}],
    ['the measures', '/metrics', {}],
  ];

  test.each(requests)("is set on %s: the client's id or a new one", async (_what, path, init) => {
    await send(path, init);
    const response = await fetch(`${service.url}${path}`, init);
    await response.text();
    expect(response.headers.get('X-Request-Id')).toMatch(
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    );
  });

  test('is set on every stream of an answer', async () => {
    const { body } = await post(`${api}/chat`, { ...question, stream: true });
    expect(body).toContain('"type":"done"');
  });

  test.each([
    ['too long', 'x'.repeat(65)],
    ['not plain', 'a b'],
    ['an API key', 'sk_live'],
  ])('is replaced when it is %s', async (_what, given) => {
    const response = await fetch(`${service.url}/nothing`, { headers: { 'X-Request-Id': given } });
    expect(response.headers.get('X-Request-Id')).not.toBe(given);
  });
});

test('no log line contains a key, a text, an e-mail address or a query; all lines of a request contain its id', async () => {
  const first = captured.lines().length;
  const conversation = await post(`${api}/chat`, { ...question, endUserId: marker });
  await post(`${api}/chat`, { message: `${question.message} ${marker}` });
  const { conversationId } = JSON.parse(conversation.body);

  models.script({ deltas: [`${marker} [1]`] });
  const streamed = await post(`${api}/chat`, { ...question, stream: true });
  expect(streamed.body).toContain(marker);
  // The question is a follow-up, so the service calls the model twice: to rewrite the question and to answer it. Both
  // calls fail with an error that quotes the text.
  const quoting = {
    status: 400,
    body: JSON.stringify({ error: { message: `${marker} ${modelKey} ${email}` } }),
  };
  models.script(quoting, quoting);
  const followUp = await post(`${api}/chat`, { ...question, conversationId });
  expect(followUp.response.status).toBe(502);
  await post(`${api}/handoff`, { conversationId, email, name: marker, reason: marker });
  await post(`${api}/handoff`, { conversationId, email: `${email}@`, name: marker });
  await post(`${api}/knowledge/documents`, { name: marker, content: `${marker} is a colour.` });
  await post(`${api}/knowledge/documents`, `{"name": "${marker}`);
  await post(`${api}/knowledge/documents`, { [marker]: marker });
  await post(`${api}/knowledge/search`, { query: marker });
  await get(`${api}/knowledge/documents?search=${marker}`);
  await get(`${api}/conversations?search=${marker}`);
  await get(`${api}/knowledge/documents`, `${key}x`);
  await get(`${api}/${key}`);
  await get(`${api}/conversations/${email}`);
  await get(`/${email}?${key}`);
  const form = new FormData();
  form.append('file', new File([`${marker} opens at 9.`], `${marker}.txt`));
  const headers = { Authorization: `Bearer ${key}` };
  const upload = await send(`${api}/knowledge/documents/upload`, {
    method: 'POST',
    headers,
    body: form,
  });
  const broken = new FormData();
  broken.append('file', new File([`%PDF-1.7 ${marker}`], `${marker}.pdf`));
  await send(`${api}/knowledge/documents/upload`, { method: 'POST', headers, body: broken });
  const query = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { email } }`;
  const input = { organizationId: tenant.organizationId, email: `x${email}`, role: 'AGENT' };
  const invited = await post('/graphql', { query, variables: { input } }, operator);
  expect(invited.body).toContain(`x${email}`);
  await post('/graphql', { query: `{ ${marker} }` }, operator);

  // Postgres quotes the whole row in a constraint error.
  const message = `A question about ${marker}`;
  await service.ownerPool.query(
    `alter table grounded.messages add constraint refused check (content not like 'A question%') not valid`,
  );
  const failed = await post(`${api}/chat`, { message });
  expect(failed.response.status).toBe(500);
  const mutation = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { content } }`;
  const failedGraphql = await post('/graphql', {
    query: mutation,
    variables: { input: { message } },
  });
  expect(failedGraphql.body).toContain('INTERNAL');
  await service.ownerPool.query('alter table grounded.messages drop constraint refused');

  const ids = Array.from({ length: sent }, (_, index) => `request-${index + 1}`);
  for (const id of ids) await requestLine(id);
  const jobsOf = () =>
    captured
      .lines()
      .filter(({ requestId, job }) => requestId === upload.requestId && job === 'ingest-document');
  await waitUntil(() => jobsOf().length > 0);

  const lines = captured.lines().slice(first);
  const told = lines.filter(({ requestId }) => requestId === followUp.requestId);
  expect(told.map(({ msg }) => msg)).toEqual([
    'failed to rewrite the question for the search',
    'answer failed',
    'request failed',
    'request',
  ]);
  for (const { requestId } of [failed, failedGraphql]) {
    const errors = lines.filter((line) => line.requestId === requestId && line.level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.err).toMatchObject({ code: '23514', stack: expect.stringMatching(/^ +at /) });
  }
  for (const line of lines) {
    if ('job' in line && line.job !== 'ingest-document') continue;
    expect(ids, JSON.stringify(line)).toContain(line.requestId);
  }
  const written = captured.text();
  // Parsing drops duplicate keys, so the test compares each line with its parsed and formatted form.
  expect(captured.lines().map((line) => JSON.stringify(line))).toEqual(written.trim().split('\n'));
  for (const secret of [marker, email, key, orgWideKey, operator, modelKey, 'Bearer', 'search=']) {
    expect(written).not.toContain(secret);
  }
}, 60_000);
