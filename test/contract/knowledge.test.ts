import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const facts = 'Lighthouse tours start at nine. Dogs stay outside the lighthouse.';

let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = await tenant.rest();
});

interface Document {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

async function created(response: Promise<Response>): Promise<Document> {
  const answer = await response;
  expect(answer.status).toBe(201);
  return answer.json();
}

function create(name: string, content = facts): Promise<Document> {
  return created(client.post('/knowledge/documents', { name, content }));
}

async function ready(id: string): Promise<Document> {
  const read = async () => (await client.get(`/knowledge/documents/${id}`)).json();
  await expect.poll(async () => (await read()).status).not.toBe('PROCESSING');
  return read();
}

test('a list is complete and never fails while its documents are deleted', {
  timeout: 60_000,
}, async () => {
  const own = await service.createTenant();
  const lister = await own.rest();
  const count = 20;
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { id } = await (
        await lister.post('/knowledge/documents', { name: `List ${n}`, content: facts })
      ).json();
      return String(id);
    }),
  );
  const statuses: number[] = [];
  const list = async () => {
    const response = await lister.get(`/knowledge/documents?limit=${count}`);
    statuses.push(response.status);
    await response.arrayBuffer();
  };
  for (const id of ids) {
    await Promise.all([list(), lister.delete(`/knowledge/documents/${id}`), list()]);
  }
  expect(statuses).toEqual(Array(2 * count).fill(200));
});

describe('creating a document from text', () => {
  test('returns 201 with the record and its Location, and the document becomes READY', async () => {
    const response = await client.post('/knowledge/documents', { name: 'Tours', content: facts });
    expect(response.status).toBe(201);
    const document = await response.json();
    expect(response.headers.get('Location')).toBe(`/api/v1/knowledge/documents/${document.id}`);
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const record = {
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      projectId: tenant.projectId,
      name: 'Tours',
      sourceType: 'TEXT',
      mimeType: 'text/plain',
      sizeBytes: facts.length,
      contentHash: createHash('sha256').update(facts).digest('hex'),
      error: null,
      warnings: [],
      waitingReason: null,
      externalId: null,
      metadata: {},
      sourceUrl: null,
      tags: [],
      version: 1,
      sourceId: null,
      createdAt: moment,
      updatedAt: moment,
    };
    expect(document).toEqual({
      ...record,
      status: 'PROCESSING',
      chunkCount: 0,
      tokenCount: 0,
      processedAt: null,
      duplicateOf: null,
    });
    expect(await ready(document.id)).toEqual({
      ...record,
      status: 'READY',
      chunkCount: 1,
      tokenCount: expect.any(Number),
      processedAt: moment,
    });
  });

  test('accepts one million characters and rejects one more', async () => {
    const content = `\u{1f411}${' '.repeat(999_998)}x`;
    expect((await client.post('/knowledge/documents', { name: 'Flock', content })).status).toBe(
      201,
    );
    const error = await expectErrorBody(
      client.post('/knowledge/documents', { name: 'Flock', content: `${content}x` }),
    );
    expect(error.message).toEqual(['content must be at most 1000000 characters']);
  });
});

describe('uploading a file', () => {
  const path = '/knowledge/documents/upload';

  test.each([
    ['tours.txt', 'text/plain'],
    ['tours.md', 'text/markdown'],
    ['tours.csv', 'text/csv'],
    ['tours.html', 'text/html'],
  ])('returns 201 with the record of %s', async (name, mimeType) => {
    const document = await created(client.upload(path, new File([facts], name)));
    expect(document).toMatchObject({ name, mimeType, sourceType: 'FILE', status: 'PROCESSING' });
    expect(await ready(document.id)).toMatchObject({ status: 'READY' });
  });

  test.each([
    ['another type', new File(['GIF89a\u0001\u0000'], 'a.gif')],
    ['an empty file', new File([], 'a.txt')],
    [
      'a program by the name of a text',
      new File([Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0)], 'a.txt'),
    ],
  ])('returns 400 for %s, naming the supported formats', async (_what, file) => {
    const error = await expectErrorBody(client.upload(path, file));
    expect(error).toMatchObject({ statusCode: 400, code: 'UNSUPPORTED_FILE' });
    expect(error.message).toContain('PDF, DOCX, TXT, CSV, Markdown, HTML');
  });

  test("returns 413 for a file over the plan's limit and stores nothing", async () => {
    const small = await service.createTenant({ plan: 'free' });
    const free = await small.rest();
    const file = new File([Buffer.alloc(10_485_760 + 1, 'x')], 'large.txt');
    expect(await expectErrorBody(free.upload(path, file))).toMatchObject({ statusCode: 413 });
    expect(await (await free.get('/knowledge/documents')).json()).toMatchObject({ total: 0 });
  });
});

describe('listing documents', () => {
  test('returns the newest first, by page', async () => {
    const own = await service.createTenant();
    const reader = await own.rest();
    for (const name of ['Tea', 'Coffee', 'Green tea']) {
      await created(reader.post('/knowledge/documents', { name, content: facts }));
    }
    const list = async (query: string) => {
      const page = await (await reader.get(`/knowledge/documents${query}`)).json();
      return { ...page, data: page.data.map(({ name }: Document) => name) };
    };
    expect(await list('')).toEqual({
      data: ['Green tea', 'Coffee', 'Tea'],
      page: 1,
      limit: 20,
      total: 3,
      totalPages: 1,
      hasMore: false,
    });
    expect(await list('?limit=2')).toMatchObject({ totalPages: 2, hasMore: true });
    expect(await list('?limit=2&page=2')).toMatchObject({ data: ['Tea'], page: 2, hasMore: false });
    expect(await list('?page=9')).toMatchObject({ data: [], total: 3 });
    expect(await list('?search=TEA')).toMatchObject({ data: ['Green tea', 'Tea'], total: 2 });
    expect(await list('?search=%25')).toMatchObject({ data: [], total: 0, totalPages: 0 });
  });
});

describe('searching', () => {
  test('returns the most relevant chunks', async () => {
    await ready((await create('Opening hours', 'The harbour museum opens at ten.')).id);
    const response = await client.post('/knowledge/search', {
      query: 'When does the museum open?',
    });
    expect(response.status).toBe(200);
    const { results, ...rest } = await response.json();
    expect(rest).toEqual({});
    expect(results.length).toBeLessThanOrEqual(5);
    expect(results[0]).toEqual({
      documentId: expect.any(String),
      documentName: 'Opening hours',
      chunkId: expect.any(String),
      score: expect.any(Number),
      content: 'The harbour museum opens at ten.',
      context: '',
      page: null,
      startOffset: 0,
      endOffset: 32,
      sourceUrl: null,
      metadata: {},
    });
  });

  test('respects the limit', async () => {
    await ready((await create('More hours', 'The harbour museum closes at six.')).id);
    const search = { query: 'harbour museum', limit: 1 };
    const { results } = await (await client.post('/knowledge/search', search)).json();
    expect(results).toHaveLength(1);
  });
});

describe('deleting a document', () => {
  test('returns 204 without a body, and 404 the second time', async () => {
    const { id } = await create('Short-lived');
    const response = await client.delete(`/knowledge/documents/${id}`);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(await expectErrorBody(client.delete(`/knowledge/documents/${id}`))).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
    });
    expect((await client.get(`/knowledge/documents/${id}`)).status).toBe(404);
  });
});

describe('retrying a document', () => {
  test('returns 200 with the record of a failed document', async () => {
    const file = new File(['%PDF-1.7\nnot really'], 'broken.pdf');
    const { id } = await created(client.upload('/knowledge/documents/upload', file));
    expect(await ready(id)).toMatchObject({ status: 'FAILED', error: { code: 'CORRUPT_FILE' } });
    const response = await client.post(`/knowledge/documents/${id}/retry`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, status: 'PROCESSING', error: null });
    expect(await ready(id)).toMatchObject({ status: 'FAILED' });
  });

  test('returns 400 for a document that has not failed', async () => {
    const { id } = await create('Fine');
    await ready(id);
    expect(await expectErrorBody(client.post(`/knowledge/documents/${id}/retry`))).toMatchObject({
      statusCode: 400,
      message: ['documentId must name a document that has failed'],
    });
  });
});
