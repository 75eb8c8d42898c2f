import { beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let baseUrl: string;
let tenant: Tenant;
let key: string;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  baseUrl = `${service.url}/api/v1`;
  tenant = await service.createTenant();
  key = await tenant.key();
  client = restClient(baseUrl, key);
});

const documents = '/knowledge/documents';
const facts = 'Lighthouse tours start at nine. Dogs stay outside the lighthouse.';
const details = {
  externalId: 'tours',
  metadata: { region: 'eu', year: 2026, languages: ['de', 'en'], isPublic: true },
  sourceUrl: 'https://example.com/tours',
  tags: ['tours', 'dogs'],
};

function send(method: string, path: string, body?: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
}

function form(file: File, fields: Record<string, string | readonly string[]> = {}): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) data.append(name, value);
  }
  data.append('file', file);
  return data;
}

async function create(body: object = {}): Promise<{ id: string }> {
  const response = await send('POST', documents, { name: 'Tours', content: facts, ...body });
  expect(response.status).toBe(201);
  return response.json();
}

async function ready(id: string): Promise<Record<string, unknown>> {
  const read = async () => (await client.get(`${documents}/${id}`)).json();
  await expect.poll(async () => (await read()).status).not.toBe('PROCESSING');
  return read();
}

describe('creating', () => {
  test('with details returns them', async () => {
    const document = await create({ ...details, externalId: 'created' });
    const record = { ...details, externalId: 'created', version: 1, sourceId: null };
    expect(document).toMatchObject(record);
    expect(await (await client.get(`${documents}/${document.id}`)).json()).toMatchObject(record);
  });

  test('with an externalId that exists replaces the document with 200', async () => {
    const { id } = await create({ externalId: 'again', tags: ['kept'] });
    const body = { name: 'Tours', content: `${facts} Cats too.`, externalId: 'again' };
    const response = await send('POST', documents, body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, version: 2, tags: ['kept'] });
  });

  test('uploads take details as form fields, metadata as JSON', async () => {
    const fields = { ...details, externalId: 'file', metadata: JSON.stringify(details.metadata) };
    const file = new File([facts], 'tours.txt');
    const response = await send('POST', `${documents}/upload`, form(file, fields));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      ...details,
      externalId: 'file',
      name: 'tours.txt',
    });
    const again = await send('POST', `${documents}/upload`, form(file, { externalId: 'file' }));
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ ...details, externalId: 'file', version: 1 });
  });

  test('warnings name what the published version lacks', async () => {
    const email = (attachment: string) =>
      new File(
        [
          'From: ann@hotel.example\r\nSubject: Prices\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n',
          `--B\r\n\r\nSee the prices.\r\n${attachment}--B--\r\n`,
        ],
        'prices.eml',
      );
    const attachment = '--B\r\nContent-Type: application/pdf; name="prices.pdf"\r\n\r\nx\r\n';
    const upload = (file: File) =>
      send('POST', `${documents}/upload`, form(file, { externalId: 'mail' }));
    const { id, warnings } = await (await upload(email(attachment))).json();
    expect(warnings).toEqual([]);
    const message = '1 attachment was left out: prices.pdf. Upload it as a document of its own.';
    const expected = [{ code: 'ATTACHED_FILES', message }];
    expect(await ready(id)).toMatchObject({ status: 'READY', warnings: expected });
    await upload(email(''));
    expect(await ready(id)).toMatchObject({ status: 'READY', version: 2, warnings: [] });
  });

  test.each([
    [{ metadata: { a: { b: 1 } } }, /^metadata\.a must be of type string, number, boolean, array/],
    [{ metadata: 'x' }, /^metadata must be an? object/],
    [{ metadata: { 'a b': 1 } }, /^metadata keys/],
    [{ sourceUrl: 'javascript:alert(1)' }, /^sourceUrl must be an address/],
  ])('refuses %j', async (body, message) => {
    const response = send('POST', documents, { name: 'Tours', content: facts, ...body });
    const error = await expectErrorBody(response);
    expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect([error.message].flat()).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    [{ metadata: '[1]' }, 'metadata must be a JSON object'],
    [{ metadata: '{' }, 'metadata must be a JSON object'],
    [{ externalId: ['a', 'b'] }, 'externalId must be passed once'],
    [{ title: 'x' }, 'title is not a known field'],
    [{ tags: Array(21).fill('x') }, 'tags must have at most 20 entries'],
  ])('refuses an upload with %j', async (fields, message) => {
    const file = new File([facts], 'tours.txt');
    const response = send('POST', `${documents}/upload`, form(file, fields as never));
    const error = await expectErrorBody(response);
    expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect([error.message].flat()).toEqual([message]);
  });
});

describe('replacing', () => {
  test('keeps the id, and the text is the new one when it is ready', async () => {
    const { id } = await create(details);
    await ready(id);
    const content = 'Lighthouse tours start at ten.';
    const response = await send('PUT', `${documents}/${id}`, { name: 'Tours', content });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ...details,
      id,
      status: 'PROCESSING',
      version: 2,
    });
    expect(await ready(id)).toMatchObject({ status: 'READY', version: 2 });
    expect(await (await client.get(`${documents}/${id}/content`)).json()).toEqual({
      text: content,
      version: 2,
    });
    const changed = await send('PATCH', `${documents}/${id}`, { externalId: null });
    expect(changed.status).toBe(200);
  });

  test('with a file takes its name and type', async () => {
    const { id } = await create();
    const file = new File(['# Tours\n\nAt eleven.'], 'tours.md');
    const response = await send('PUT', `${documents}/${id}`, form(file, { tags: ['md'] }));
    expect(response.status).toBe(200);
    const record = {
      id,
      name: 'tours.md',
      mimeType: 'text/markdown',
      sourceType: 'FILE',
      version: 2,
    };
    expect(await response.json()).toMatchObject({ ...record, tags: ['md'] });
  });

  test('is executed once per Idempotency-Key', async () => {
    const { id } = await create();
    const body = { name: 'Tours', content: 'Once only.' };
    const put = () => client.put(`${documents}/${id}`, body, { 'Idempotency-Key': `put ${id}` });
    const first = await (await put()).text();
    const again = await put();
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await again.text()).toBe(first);
  });

  test('needs projectId from an org-wide key: in the body, or in the query with a file', async () => {
    const orgWide = await tenant.key({ isOrgWide: true });
    const { id } = await create();
    const { projectId } = tenant;
    const put = (query: string, body: string | FormData) =>
      fetch(`${baseUrl}${documents}/${id}${query}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${orgWide}`,
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        body,
      });
    const text = { name: 'Tours', content: 'At twelve.' };
    expect((await put('', JSON.stringify({ ...text, projectId }))).status).toBe(200);
    expect((await put('', JSON.stringify(text))).status).toBe(400);
    const file = form(new File([facts], 'tours.txt'));
    expect((await put(`?projectId=${projectId}`, file)).status).toBe(200);
    expect((await put('', file)).status).toBe(400);
  });
});

describe('changing', () => {
  test('sets and clears details without a new version', async () => {
    const { id } = await create();
    const set = { ...details, externalId: 'changed', name: 'New name' };
    const changed = await send('PATCH', `${documents}/${id}`, set);
    expect(await changed.json()).toMatchObject({ ...set, version: 1 });
    const cleared = { externalId: null, metadata: null, sourceUrl: null, tags: null };
    const response = await send('PATCH', `${documents}/${id}`, cleared);
    expect(await response.json()).toMatchObject({
      ...{ name: 'New name', externalId: null, metadata: {}, sourceUrl: null, tags: [] },
    });
  });
});

describe('reading', () => {
  test('the text is what offsets of search results point into', async () => {
    const own = await service.createTenant();
    const reader = await own.rest();
    const content = Array.from(
      { length: 12 },
      (_, n) =>
        `# Room ${n} \u{1f411}\n\nRoom ${n} has ${'a view of the sea and '.repeat(20)}a door.`,
    ).join('\n\n');
    const { id } = await (await reader.post(documents, { name: 'Rooms.md', content })).json();
    const read = async () => (await reader.get(`${documents}/${id}`)).json();
    await expect.poll(async () => (await read()).status).toBe('READY');
    const { text } = await (await reader.get(`${documents}/${id}/content`)).json();
    const query = { query: 'Which room has a view of the sea?', limit: 20 };
    const { results } = await (await reader.post('/knowledge/search', query)).json();
    expect(results.length).toBeGreaterThan(5);
    const characters = [...text];
    for (const { content, startOffset, endOffset } of results) {
      expect(characters.slice(startOffset, endOffset).join('')).toBe(content);
    }
    expect(text.match(/a door\./g)).toHaveLength(12);
  });

  test('the text of a document that was never ready returns 409', async () => {
    const { id } = await create({ content: '. . .' });
    expect(await ready(id)).toMatchObject({ status: 'FAILED' });
    expect(await expectErrorBody(client.get(`${documents}/${id}/content`))).toMatchObject({
      statusCode: 409,
      code: 'CONFLICT',
    });
  });

  test('the original is a download with its name and type', async () => {
    const name = 'Rückgabe "neu"; 🐑.md';
    const bytes = '# Tours\r\n\r\nAt eleven.\r\n';
    const upload = await send('POST', `${documents}/upload`, form(new File([bytes], name)));
    const { id } = await upload.json();
    const response = await client.get(`${documents}/${id}/original`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(bytes);
    const headers = {
      'content-type': 'text/markdown; charset=utf-8',
      'content-length': String(Buffer.byteLength(bytes)),
      'content-disposition': `attachment; filename="R_ckgabe _neu__ _.md"; filename*=UTF-8''R%C3%BCckgabe%20%22neu%22%3B%20%F0%9F%90%91.md`,
      'x-content-type-options': 'nosniff',
    };
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    const head = await send('HEAD', `${documents}/${id}/original`);
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toMatchObject(headers);
    expect(await head.text()).toBe('');
  });
});

describe('lists', () => {
  test('filter by externalId, tag, status and source', async () => {
    const own = await service.createTenant();
    const lister = await own.rest();
    for (const [name, tags] of [
      ['A', ['x', 'y']],
      ['B', ['y']],
      ['C', []],
    ] as const) {
      const body = { name, content: facts, tags, externalId: `id ${name}` };
      expect((await lister.post(documents, body)).status).toBe(201);
    }
    const list = async (query: string) => {
      const { data } = await (await lister.get(`${documents}?${query}`)).json();
      return data.map(({ name }: { name: string }) => name);
    };
    expect(await list('tag=y')).toEqual(['B', 'A']);
    expect(await list('externalId=id%20C')).toEqual(['C']);
    expect(await list('sourceId=01980a3c-0000-7000-8000-000000000000')).toEqual([]);
    expect(await list('sourceId=x')).toEqual([]);
    expect(await list('status=FAILED')).toEqual([]);
    await expect.poll(() => list('status=READY')).toEqual(['C', 'B', 'A']);
  });
});

describe('many documents at once', () => {
  test('are deleted with their chunks, files and storage; other ids are ignored', async () => {
    const own = await service.createTenant();
    const writer = await own.rest();
    const foreign = await create();
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      ids.push((await (await writer.post(documents, { name, content: facts })).json()).id);
    }
    const [a = '', b = '', c = ''] = ids;
    const documentIds = [a, b, a, foreign.id, 'x', '01980a3c-0000-7000-8000-000000000000'];
    const remove = async () => (await writer.post(`${documents}/delete`, { documentIds })).json();
    expect(await remove()).toEqual({ count: 2 });
    expect(await remove()).toEqual({ count: 0 });
    expect((await writer.get(`${documents}/${a}`)).status).toBe(404);
    expect((await client.get(`${documents}/${foreign.id}`)).status).toBe(200);
    const { total, data } = await (await writer.get(documents)).json();
    expect([total, data[0].id]).toEqual([1, c]);
    const rows = async () => {
      const text = 'select count(*)::int as count from grounded.documents where id = any ($1)';
      return (await service.adapters.pool.query(text, [[a, b]])).rows[0].count;
    };
    await expect.poll(rows).toBe(0);
    const usage = await service.adapters.pool.query(
      'select used_bytes::int as used from grounded.storage_usage where organization_id = $1',
      [own.organizationId],
    );
    expect(usage.rows[0].used).toBe(facts.length);
  });

  test('are retried if they have failed', async () => {
    const failed = await create({ content: '. . .' });
    const processed = await create();
    await Promise.all([ready(failed.id), ready(processed.id)]);
    const documentIds = [failed.id, processed.id];
    const response = await client.post(`${documents}/retry`, { documentIds });
    expect(await response.json()).toEqual({ count: 1 });
    expect(await ready(failed.id)).toMatchObject({ status: 'FAILED' });
  });
});

test('a key with a filter reads no documents that the filter excludes', async () => {
  const filtered = restClient(baseUrl, await filteredKey());
  const hidden = await create({ externalId: 'hidden' });
  const shown = await create({ externalId: 'shown', tags: ['public'] });
  await Promise.all([ready(hidden.id), ready(shown.id)]);
  for (const part of ['content', 'original']) {
    expect((await filtered.get(`${documents}/${hidden.id}/${part}`)).status).toBe(404);
    expect((await filtered.get(`${documents}/${shown.id}/${part}`)).status).toBe(200);
  }
  const total = async (query: string) =>
    (await (await filtered.get(`${documents}?${query}`)).json()).total;
  expect(await total('externalId=hidden')).toBe(0);
  expect(await total('externalId=shown')).toBe(1);
  expect(await total('tag=public')).toBe(1);
  expect(await total('tag=other')).toBe(0);
  expect(await total('sourceId=x')).toBe(0);
});

async function filteredKey(): Promise<string> {
  const { organizationId, projectId } = tenant;
  const { secret } = await createApiKey(service.system, {
    organizationId,
    projectId,
    name: 'Filtered',
    scopes: ['KNOWLEDGE_READ'],
    filter: { tags: { in: ['public'] } },
  });
  return secret;
}
