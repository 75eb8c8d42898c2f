import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { failOrphanedAnswers } from '../../src/domain/chat/finalize-turn.ts';
import { operations as apiOperations, operationTitle } from '../support/api/openapi-document.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';
import { waitUntil } from '../support/wait-until.ts';

const question = 'Until when is check-out?';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let secret: string;
let client: RestClient;
/** A conversation of the tenant without a handoff. */
let conversationId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  secret = await tenant.key();
  client = clientOf(secret);
  ({ conversationId } = await (await client.post('/chat', { message: question })).json());
});

function clientOf(key: string): RestClient {
  return restClient(`${service.url}/api/v1`, key);
}

/** One attempt to send a request. By default, all attempts are identical. */
interface Try {
  readonly key: string;
  /** Whether the content of the request differs from that of the other attempts. */
  readonly isOther?: boolean;
  readonly projectId?: string;
}

function postJson(from: RestClient, path: string, key: string, body: object, init?: RequestInit) {
  return from.send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
    ...init,
  });
}

function ask(key: string, body: object = {}, init?: RequestInit): Promise<Response> {
  return postJson(client, '/chat', key, { message: question, ...body }, init);
}

function upload(from: RestClient, key: string, content: string, query = ''): Promise<Response> {
  const form = new FormData();
  form.append('file', new File([content], 'Tours.txt'));
  return from.send(`/knowledge/documents/upload${query}`, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
    body: form,
  });
}

/** Every operation that accepts the idempotency header. Also the table to which each execution adds a row. */
const operations: [string, string, (from: RestClient, attempt: Try) => Promise<Response>][] = [
  [
    'POST /chat',
    'conversations',
    (from, { key, isOther, projectId }) =>
      postJson(from, '/chat', key, { message: isOther ? 'And check-in?' : question, projectId }),
  ],
  [
    'POST /chat with stream: true',
    'conversations',
    (from, { key, isOther, projectId }) =>
      postJson(from, '/chat', key, { message: question, stream: !isOther, projectId }),
  ],
  [
    'POST /knowledge/documents',
    'documents',
    (from, { key, isOther, projectId }) => {
      const name = isOther ? 'Hours' : 'Tours';
      return postJson(from, '/knowledge/documents', key, { name, content: 'At nine.', projectId });
    },
  ],
  [
    'POST /knowledge/documents/upload',
    'documents',
    (from, { key, isOther, projectId }) =>
      upload(from, key, isOther ? 'At ten.' : 'At nine.', projectId && `?projectId=${projectId}`),
  ],
  [
    'POST /handoff',
    'handoffs',
    (from, { key, isOther, projectId }) => {
      const reason = isOther ? 'Angry' : 'Asked for it';
      return postJson(from, '/handoff', key, { conversationId, reason, projectId });
    },
  ],
];

async function rowsIn(table: string): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    `select count(*)::integer as count from grounded.${table} where project_id = $1`,
    [tenant.projectId],
  );
  return rows[0].count;
}

async function knownKeys(): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    `select count(*)::integer as count from grounded.idempotency_keys k
     join grounded.api_keys a on a.id = k.key_id where a.organization_id = $1`,
    [tenant.organizationId],
  );
  return rows[0].count;
}

/** Makes the key look as if its request still runs and has no effect yet. The lease expires in `leaseSeconds`. */
async function simulateRunningRequest(key: string, leaseSeconds: number): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.idempotency_keys
     set status = null, headers = null, body = null, effect_id = null, leased_until = null,
       expires_at = now() + make_interval(secs => $2)
     where idempotency_key = $1`,
    [key, leaseSeconds],
  );
}

/** Makes the key look as if its process died after it stored the effect and before it stored the response. */
async function simulateCrashAfterEffect(key: string, leaseSeconds = 0): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.idempotency_keys
     set status = null, headers = null, body = null, leased_until = now() + make_interval(secs => $2)
     where idempotency_key = $1 and effect_id is not null`,
    [key, leaseSeconds],
  );
}

async function usedMessages(): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    'select messages from grounded.usage_periods where organization_id = $1',
    [tenant.organizationId],
  );
  return rows[0]?.messages ?? 0;
}

interface ResponseSnapshot {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that may differ between identical requests. Comparisons ignore them. */
const volatileHeaders =
  /^(?:date|x-request-id|ratelimit.*|connection|keep-alive|idempotent-replayed)$/;

async function snapshotResponse(response: Response): Promise<ResponseSnapshot> {
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !volatileHeaders.test(name)),
  );
  return { status: response.status, body: await response.text(), headers };
}

/** Returns the ids in a response body, except ids of chunks. */
const idsIn = (body: string) =>
  new Set(body.match(/"(?:id|handoffId|messageId)":"[0-9a-f-]{36}"/g));

const isReplayed = (response: Response) => response.headers.get('Idempotent-Replayed') === 'true';

/**
 * The tests `document-versions`, `handoffs`, `webhooks`, `sources`, `evaluation` and `keys` cover these operations.
 * Rotations use the same code as creations.
 */
const testedWithTheirOperation = [
  'PUT /knowledge/documents/{documentId}',
  'POST /conversations/{conversationId}/replies',
  'POST /webhooks',
  'POST /knowledge/sources',
  'POST /evaluation/sets',
  'POST /evaluation/sets/{setId}/questions',
  'POST /evaluation/runs',
  'POST /webhooks/{webhookId}/rotate-secret',
  'POST /keys',
  'POST /keys/{keyId}/rotate',
];

test('a body that is nested too deeply is malformed, with a key, too', async () => {
  const depth = 20_000;
  const body = `{"message":"Hi","filter":${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}}`;
  for (const path of ['/chat', '/keys']) {
    const response = postJson(client, path, randomUUID(), {}, { body });
    expect(await expectErrorBody(response)).toMatchObject({ statusCode: 400 });
  }
});

test('this suite covers exactly the operations that the OpenAPI document declares idempotent', () => {
  const described = apiOperations
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
    .map(operationTitle);
  const tested = new Set(operations.map(([name]) => name.replace(/ with .*/, '')));
  for (const name of testedWithTheirOperation) tested.add(name);
  expect(new Set(described)).toEqual(tested);
});

describe.each(operations)('%s', (_name, table, send) => {
  test('returns the same response to a repeated request, marked as replayed, and runs once', async () => {
    const before = await rowsIn(table);
    const key = randomUUID();
    const first = await send(client, { key });
    expect(isReplayed(first)).toBe(false);
    const answer = await snapshotResponse(first);
    for (let time = 0; time < 3; time++) {
      const again = await send(client, { key });
      expect(isReplayed(again)).toBe(true);
      expect(await snapshotResponse(again)).toEqual(answer);
    }
    expect(await rowsIn(table)).toBe(before + 1);
  });

  test('runs once for 50 concurrent requests', async () => {
    const before = await rowsIn(table);
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(client, { key })));
    await Promise.all(responses.map((response) => response.text()));
    const carriedOut = responses.filter((response) => response.ok && !isReplayed(response));
    expect(carriedOut).toHaveLength(1);
    expect(responses.filter(({ ok, status }) => !ok && status !== 409)).toEqual([]);
    expect(await rowsIn(table)).toBe(before + 1);
  });

  test('returns 422 for a different request with the same key, running or completed', async () => {
    const key = randomUUID();
    await (await send(client, { key })).text();
    const other = { key, isOther: true };
    const error = { statusCode: 422, code: 'IDEMPOTENCY_KEY_REUSED' };
    expect(await expectErrorBody(send(client, other))).toMatchObject(error);
    await simulateRunningRequest(key, 60);
    expect(await expectErrorBody(send(client, other))).toMatchObject(error);
  });

  test('returns 409 with Retry-After while the request is running', async () => {
    const key = randomUUID();
    await (await send(client, { key })).text();
    await simulateRunningRequest(key, 60);
    const response = await send(client, { key });
    expect(response.headers.get('Retry-After')).toBe('1');
    expect(await expectErrorBody(Promise.resolve(response))).toMatchObject({
      statusCode: 409,
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
  });

  test('runs again after the lease of a dead process has expired', async () => {
    const key = randomUUID();
    await (await send(client, { key })).text();
    await simulateRunningRequest(key, 0);
    const next = await send(client, { key });
    expect(next.ok).toBe(true);
    expect(isReplayed(next)).toBe(false);
    const answer = await snapshotResponse(next);
    expect(await snapshotResponse(await send(client, { key }))).toEqual(answer);
  });

  test('returns the effect of a process that died before it stored the response', async () => {
    const key = randomUUID();
    const first = await snapshotResponse(await send(client, { key }));
    const [rows, messages] = [await rowsIn(table), await usedMessages()];
    await simulateCrashAfterEffect(key, 60);
    expect(await expectErrorBody(send(client, { key }))).toMatchObject({ statusCode: 409 });
    await simulateCrashAfterEffect(key);
    const other = await expectErrorBody(send(client, { key, isOther: true }));
    expect(other).toMatchObject({ statusCode: 422 });
    const next = await send(client, { key });
    expect(next.status).toBe(first.status);
    const nextAnswer = await snapshotResponse(next);
    expect(idsIn(nextAnswer.body)).toEqual(idsIn(first.body));
    expect(await snapshotResponse(await send(client, { key }))).toEqual(nextAnswer);
    expect([await rowsIn(table), await usedMessages()]).toEqual([rows, messages]);
  });

  test('separates the idempotency keys of two API keys', async () => {
    const key = randomUUID();
    const { body } = await snapshotResponse(await send(client, { key }));
    const sibling = await send(await tenant.rest(), { key, isOther: true });
    expect(sibling.ok).toBe(true);
    expect(isReplayed(sibling)).toBe(false);
    expect((await snapshotResponse(await send(client, { key }))).body).toBe(body);
  });

  test('works with an org-wide key, where another project is a different request', async () => {
    const orgWide = await tenant.rest({ isOrgWide: true });
    const { projectId } = tenant;
    const key = randomUUID();
    const answer = await snapshotResponse(await send(orgWide, { key, projectId }));
    const again = await send(orgWide, { key, projectId });
    expect(isReplayed(again)).toBe(true);
    expect(await snapshotResponse(again)).toEqual(answer);
    expect(await expectErrorBody(send(orgWide, { key, projectId: randomUUID() }))).toMatchObject({
      statusCode: 422,
    });
  });

  test('stores nothing for a rejected request', async () => {
    const key = randomUUID();
    const orgWide = await tenant.rest({ isOrgWide: true });
    const refused = [
      send(clientOf('sk_nonsense'), { key }),
      send(await tenant.rest({ scopes: ['ANALYTICS_READ'] }), { key }),
      send(client, { key, projectId: randomUUID() }),
      send(orgWide, { key }),
      send(orgWide, { key, projectId: randomUUID() }),
    ];
    const statuses = (await Promise.all(refused.map(expectErrorBody))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses).toEqual([401, 403, 403, 400, 404]);
    expect(await knownKeys()).toBe(0);
    expect((await send(client, { key })).ok).toBe(true);
  });
});

describe('the header', () => {
  const document = { name: 'Tours', content: 'At nine.' };

  test.each([
    ['empty', '', 'Idempotency-Key must not be empty'],
    ['too long', 'k'.repeat(256), 'Idempotency-Key must be at most 255 characters'],
    ['not ASCII', 'clé', 'Idempotency-Key must be printable ASCII characters'],
    ['not printable', 'a\tb', 'Idempotency-Key must be printable ASCII characters'],
  ])('%s returns 400, together with the other validation errors', async (_what, key, message) => {
    const sent = postJson(client, '/knowledge/documents', key, { name: 'Tours' });
    expect(await expectErrorBody(sent)).toMatchObject({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: [message, 'content is required'],
    });
  });

  test('sent twice returns 400', async () => {
    const body = JSON.stringify(document);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/knowledge/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\n` +
        `Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Idempotency-Key must be passed once');
  });

  test('accepts 255 printable ASCII characters and is case-sensitive', async () => {
    const key = `~ ${'k'.repeat(253)}`;
    const first = await postJson(client, '/knowledge/documents', key, document);
    expect(first.status).toBe(201);
    expect(isReplayed(await postJson(client, '/knowledge/documents', key, document))).toBe(true);
    const other = await postJson(client, '/knowledge/documents', key.toUpperCase(), document);
    expect(isReplayed(other)).toBe(false);
  });

  test('costs two statements, a replay one, and no statement when it is absent', async () => {
    const query = vi.spyOn(pg.Pool.prototype, 'query');
    const statements = async (send: () => Promise<Response>) => {
      query.mockClear();
      await (await send()).text();
      const texts = query.mock.calls.map((call) => JSON.stringify(call));
      // The same statement inserts the document and records the insert as the effect of the key.
      return texts.filter(
        (text) => text.includes('idempotency_keys') && !text.includes('grounded.documents'),
      );
    };
    const key = randomUUID();
    const create = () => postJson(client, '/knowledge/documents', key, document);
    try {
      expect(await statements(() => client.post('/knowledge/documents', document))).toHaveLength(0);
      expect(await statements(create)).toHaveLength(2);
      expect(await statements(create)).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
  });

  test('is ignored by operations that create nothing', async () => {
    const key = 'not ASCII: é';
    for (let time = 0; time < 2; time++) {
      const response = await postJson(client, '/knowledge/search', key, { query: question });
      expect(response.status).toBe(200);
      expect(isReplayed(response)).toBe(false);
    }
    expect(await knownKeys()).toBe(0);
  });
});

test('requests are equal regardless of field order, Unicode form and omitted defaults', async () => {
  const key = randomUUID();
  await (await ask(key, { message: 'Caf\u00e9?', endUserId: 'guest' })).text();
  const again = await client.send('/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: '{ "stream": false, "endUserId": "guest", "message": "Cafe\\u0301?" }',
  });
  expect(isReplayed(again)).toBe(true);
});

test('an idempotency key is scoped to one operation', async () => {
  const key = randomUUID();
  await (await ask(key)).text();
  const body = { name: 'Tours', content: 'At nine.' };
  expect(await expectErrorBody(postJson(client, '/knowledge/documents', key, body))).toMatchObject({
    statusCode: 422,
  });
});

test('an upload is equal with another boundary, and different with another file name', async () => {
  const key = randomUUID();
  const send = (boundary: string, name: string) =>
    client.send('/knowledge/documents/upload', {
      method: 'POST',
      headers: {
        'Idempotency-Key': key,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
      },
      body:
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n` +
        `At nine.\r\n--${boundary}--\r\n`,
    });
  const first = await send('one', 'Tours.txt');
  expect(first.headers.get('Location')).toMatch(/^\/api\/v1\/knowledge\/documents\/[0-9a-f-]{36}$/);
  const again = await send('two', 'Tours.txt');
  expect(isReplayed(again)).toBe(true);
  expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
  expect(await expectErrorBody(send('one', 'Hours.txt'))).toMatchObject({ statusCode: 422 });
});

test('a request for an open handoff is replayed with its 200 response', async () => {
  await postJson(client, '/handoff', randomUUID(), { conversationId });
  const key = randomUUID();
  const first = await postJson(client, '/handoff', key, { conversationId });
  expect(first.status).toBe(200);
  const again = await postJson(client, '/handoff', key, { conversationId });
  expect(isReplayed(again)).toBe(true);
  expect(await snapshotResponse(again)).toEqual(await snapshotResponse(first));
});

test('the retry of a request that died returns the handoff that it opened, also if that is resolved by now', async () => {
  const key = randomUUID();
  const first = await postJson(client, '/handoff', key, { conversationId });
  expect(first.status).toBe(201);
  const opened: { handoffId: string; status: string } = JSON.parse(await first.text());
  await service.system.db.handoff.update({
    where: { id: opened.handoffId },
    data: { status: 'RESOLVED', resolvedAt: new Date() },
  });
  await simulateCrashAfterEffect(key);
  const again = await postJson(client, '/handoff', key, { conversationId });
  expect(again.status).toBe(201);
  expect(JSON.parse(await again.text())).toEqual(opened);
});

test('a replay consumes no message quota', async () => {
  await service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: { monthlyMessages: 2 },
  });
  const key = randomUUID();
  expect((await ask(key)).status).toBe(200);
  expect(await expectErrorBody(ask(randomUUID()))).toMatchObject({ statusCode: 402 });
  expect(isReplayed(await ask(key))).toBe(true);
  expect(isReplayed(await ask(key))).toBe(true);
  expect(await knownKeys()).toBe(1);
});

describe('a model answer', () => {
  beforeEach(async () => {
    await addDocuments(service, tenant.projectId, {
      'Check-out.md':
        '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros an hour.',
    });
  });

  const forms = [
    ['whole', {}],
    ['streamed', { stream: true }],
  ] as const;

  test.each(forms)(
    'that is still being generated (%s) is not generated twice',
    async (_form, body) => {
      const gate = Promise.withResolvers<void>();
      models.script({ after: gate.promise, deltas: ['Until ', '11:00 [1].'] });
      const asked = models.requests.length;
      const key = randomUUID();
      const first = ask(key, body);
      await models.request(asked);
      const others = await Promise.all(
        Array.from({ length: 10 }, () => expectErrorBody(ask(key, body))),
      );
      expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([409]));
      gate.resolve();
      const answer = await snapshotResponse(await first);
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('11:00') });
      const again = await ask(key, body);
      expect(isReplayed(again)).toBe(true);
      expect(await snapshotResponse(again)).toEqual(answer);
      expect(models.requests).toHaveLength(asked + 1);
    },
  );

  test.each(forms)(
    'that fails (%s) releases the key before the client receives the error',
    async (_form, body) => {
      const key = randomUUID();
      models.script({ deltas: ['Until '], finishReason: null, end: 'cut' });
      expect(await (await ask(key, body)).text()).toContain('MODEL_ERROR');
      const again = await ask(key, body);
      expect(again.status).toBe(200);
      expect(isReplayed(again)).toBe(false);
      expect(await again.text()).toContain('answers this');
      expect(isReplayed(await ask(key, body))).toBe(true);
    },
  );

  test.each([
    ['done', {}, 'set status = $4'],
    ['error', { finishReason: null, end: 'cut' }, 'delete from grounded.idempotency_keys'],
  ] as const)(
    'that ends by %s is sent after the key is settled',
    async (type, reply, statement) => {
      models.script({ deltas: ['Until '], ...reply });
      const query = vi.spyOn(pg.Pool.prototype, 'query');
      try {
        const reader = (await ask(randomUUID(), { stream: true })).body?.getReader();
        let text = '';
        while (!text.includes(`"type":"${type}"`)) {
          text += new TextDecoder().decode((await reader?.read())?.value);
        }
        const call = query.mock.calls.findIndex((args) => JSON.stringify(args).includes(statement));
        expect(query.mock.settledResults[call]?.type).toBe('fulfilled');
      } finally {
        query.mockRestore();
      }
    },
  );

  test.each(forms)(
    'whose client disconnects (%s) is generated again in place and counted once',
    async (_form, body) => {
      const key = randomUUID();
      const messages = await usedMessages();
      models.script({ deltas: ['Until '], end: 'stall' });
      const asked = models.request(models.requests.length);
      const leaving = new AbortController();
      const response = ask(key, body, { signal: leaving.signal });
      const end = response.then((answer) => answer.text());
      await asked;
      expect(await expectErrorBody(ask(key, body))).toMatchObject({ statusCode: 409 });
      leaving.abort();
      await expect(end).rejects.toThrow();
      const again = await waitUntil(async () => {
        const answer = await ask(key, body);
        return answer.status === 200 ? answer : null;
      });
      expect(isReplayed(again)).toBe(false);
      const answer = await again.text();
      expect(answer).toContain('answers this');
      const replay = await ask(key, body);
      expect(isReplayed(replay)).toBe(true);
      expect(await replay.text()).toBe(answer);
      const transcript = await service.system.db.message.findMany({
        where: { projectId: tenant.projectId, conversationId: { not: conversationId } },
      });
      expect(transcript.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
      expect(await usedMessages()).toBe(messages + 1);
    },
  );

  test.each(forms)(
    'that is resumable (%s) keeps its key when its client disconnects',
    async (_form, body) => {
      const key = randomUUID();
      const resumable = { ...body, resumable: true };
      const model = Promise.withResolvers<void>();
      const asked = models.request(models.requests.length);
      models.script({ deltas: ['Until ', 'eleven [1].'], after: model.promise });
      const leaving = new AbortController();
      const end = ask(key, resumable, { signal: leaving.signal }).then((answer) => answer.text());
      await asked;
      leaving.abort();
      await expect(end).rejects.toThrow();
      expect(await expectErrorBody(ask(key, resumable))).toMatchObject({ statusCode: 409 });
      model.resolve();
      const again = await waitUntil(async () => {
        const answer = await ask(key, resumable);
        return answer.status === 200 ? answer : null;
      });
      expect(isReplayed(again)).toBe(true);
      expect(await again.text()).toContain('Until eleven [1].');
      expect(models.requests.length).toBe(1 + models.requests.indexOf(await asked));
    },
  );

  test.each(forms)(
    'of a process that died during generation (%s) is generated in place and counted once',
    async (_form, body) => {
      const key = randomUUID();
      const messages = await usedMessages();
      await (await ask(key, body)).text();
      const { rows } = await service.adapters.pool.query(
        `update grounded.messages set status = 'GENERATING', content = ''
         where id = (select effect_id from grounded.idempotency_keys where idempotency_key = $1)
         returning id, conversation_id as "conversationId"`,
        [key],
      );
      const { id, conversationId } = rows[0];
      await simulateCrashAfterEffect(key);
      const asked = models.requests.length;
      const again = await ask(key, body);
      expect(isReplayed(again)).toBe(false);
      expect(await again.text()).toContain('answers this');
      expect(models.requests).toHaveLength(asked + 1);
      const transcript = await service.system.db.message.findMany({
        where: { conversationId },
        orderBy: { position: 'asc' },
      });
      expect(transcript.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
      expect(transcript.map((message) => message.id)).not.toContain(id);
      expect(await usedMessages()).toBe(messages + 1);
    },
  );

  test('that failed with its process, and was refunded, is counted again', async () => {
    const key = randomUUID();
    const messages = await usedMessages();
    await (await ask(key)).text();
    await service.adapters.pool.query(
      `update grounded.messages set status = 'GENERATING', lease_renewed_at = now() - interval '1 hour'
       where id = (select effect_id from grounded.idempotency_keys where idempotency_key = $1)`,
      [key],
    );
    await failOrphanedAnswers(service.adapters);
    expect(await usedMessages()).toBe(messages);
    await simulateCrashAfterEffect(key);
    expect((await ask(key)).status).toBe(200);
    expect(await usedMessages()).toBe(messages + 1);
  });

  test('is stored completely, regardless of the number of parts', async () => {
    const key = randomUUID();
    models.script({ deltas: Array.from({ length: 15_900 }, () => 'x ') });
    const answer = await snapshotResponse(await ask(key, { stream: true }));
    expect(answer.body).toContain('"type":"done"');
    const again = await ask(key, { stream: true });
    expect(isReplayed(again)).toBe(true);
    expect(await snapshotResponse(again)).toEqual(answer);
  });
});
