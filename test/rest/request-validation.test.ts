import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import {
  keys,
  otherProjectId,
  projectId,
  type RecordedArguments,
  type RestServer,
  startRestServer,
} from '../support/api/rest-server.ts';

const document = {
  id: '01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a',
  projectId,
  name: 'returns.pdf',
  status: 'PROCESSING',
  sourceType: 'FILE',
  mimeType: 'application/pdf',
  sizeBytes: 5,
  contentHash: '00'.repeat(32),
  chunkCount: 0,
  tokenCount: 0,
  error: null,
  warnings: [],
  waitingReason: null,
  externalId: null,
  metadata: {},
  sourceUrl: null,
  tags: [],
  version: 1,
  sourceId: null,
  outcome: 'CREATED',
  duplicateOf: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  processedAt: null,
};
const reply = {
  conversationId: '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
  messageId: '01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f',
  content: 'Thirty days [1].',
  citations: [],
  confidence: 0.9,
  latencyMs: 12,
};
const page = { data: [], page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false };

let server: RestServer;
let projectClient: RestClient;
let orgWide: RestClient;
/** The arguments of the latest call of the schema. */
let asked: RecordedArguments;

beforeAll(async () => {
  const answering = (answer: unknown) => (input: RecordedArguments) => {
    asked = input;
    return answer;
  };
  server = await startRestServer({
    sendMessage: answering(reply),
    searchKnowledge: answering([]),
    retryDocument: answering(document),
    documentPage: answering(page),
  });
  projectClient = restClient(server.baseUrl, keys.project);
  orgWide = restClient(server.baseUrl, keys.orgWide);
});

afterAll(() => server[Symbol.asyncDispose]());

function sendRaw(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const sent = { 'Content-Type': 'application/json', ...headers };
  return projectClient.send(path, { method: 'POST', headers: sent, body });
}

describe('a JSON body', () => {
  test('gets one message per invalid field, in interface order, with unknown fields last', async () => {
    const body = { conversationID: 'x', stream: 'yes', message: 'a'.repeat(4001), endUserId: '' };
    const error = await expectErrorBody(projectClient.post('/chat', body));
    expect(error).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      code: 'VALIDATION_FAILED',
    });
    expect(error.message).toEqual([
      'message must be at most 4000 characters',
      'endUserId must not be empty',
      'stream must be a boolean',
      'conversationID is not a known field',
    ]);
  });

  test.each([
    ['no message', {}, 'message is required'],
    ['an empty message', { message: '' }, 'message must not be blank'],
    ['a blank message', { message: ' \n\t ' }, 'message must not be blank'],
    ['a number', { message: 5 }, 'message must be a string'],
    ['null', { message: null }, 'message must be a string'],
    ['an object', { message: { text: 'hi' } }, 'message must be a string'],
    ['NUL', { message: 'a\0b' }, 'message must not contain NUL characters'],
    ['a line break', { endUserId: 'a\nb' }, 'endUserId must be printable characters'],
    ['a long id', { endUserId: 'x'.repeat(129) }, 'endUserId must be at most 128 characters'],
    ['a number for an id', { conversationId: 7 }, 'conversationId must be a string'],
    ['a number for a project', { projectId: 7 }, 'projectId must be a string'],
    ['a name of JavaScript', { constructor: 1 }, 'constructor is not a known field'],
  ])('is rejected: %s', async (what, fields, message) => {
    const body = what === 'no message' ? fields : { message: 'hi', ...fields };
    const error = await expectErrorBody(projectClient.post('/chat', body));
    expect(error).toMatchObject({ statusCode: 400, message: [message] });
  });

  test.each(['0', '51', '2.5', '"5"', '1e400'])(
    'is rejected with a search limit of %s',
    async (limit) => {
      const error = await expectErrorBody(
        sendRaw('/knowledge/search', `{"query":"tea","limit":${limit}}`),
      );
      expect(error.message).toEqual(['limit must be an integer between 1 and 50']);
    },
  );

  test('is measured in code points after normalization', async () => {
    expect((await projectClient.post('/chat', { message: '🐑'.repeat(4000) })).status).toBe(200);
    expect((await projectClient.post('/chat', { message: '🐑'.repeat(4001) })).status).toBe(400);
    expect((await projectClient.post('/chat', { message: 'e\u0301'.repeat(4000) })).status).toBe(
      200,
    );
    expect(asked.input.message).toBe('\u00e9'.repeat(4000));
  });

  test('may have null for an optional field, which counts as absent', async () => {
    const body = { query: 'tea', limit: null, projectId: null };
    expect((await projectClient.post('/knowledge/search', body)).status).toBe(200);
    expect(asked).toEqual({ projectId, query: 'tea', limit: 5 });
    const unknown = await expectErrorBody(
      projectClient.post('/knowledge/search', { ...body, filters: null }),
    );
    expect(unknown.message).toEqual(['filters is not a known field']);
  });

  test('may omit fields with a default', async () => {
    await projectClient.post('/knowledge/search', { query: 'tea' });
    expect(asked).toEqual({ projectId, query: 'tea', limit: 5 });
  });

  test.each([
    ['broken JSON', '{"message":', {}, 'The body is not valid JSON: line 1, column 12'],
    ['an array', '[]', {}, 'The body must be a JSON object'],
    ['null', 'null', {}, 'The body must be a JSON object'],
    ['a string', '"hi"', {}, 'The body must be a JSON object'],
    ['deep nesting', '['.repeat(2e5) + ']'.repeat(2e5), {}, 'The body must be a JSON object'],
    ['nothing', '', {}, 'The request needs a body: a JSON object'],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, /Content-Type/],
    ['plain text', '{"message":"hi"}', { 'Content-Type': 'text/plain' }, /Content-Type/],
    ['UTF-16', '{}', { 'Content-Type': 'application/json; charset=utf-16' }, /Content-Type/],
    ['compression', '{}', { 'Content-Encoding': 'gzip' }, 'The body must not be compressed'],
    ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22), {}, 'The body is not valid UTF-8'],
  ])('is malformed: %s', async (_what, body, headers, message) => {
    const error = await expectErrorBody(sendRaw('/chat', body, headers));
    expect(error).toMatchObject({ statusCode: 400, code: 'MALFORMED_REQUEST' });
    expect(error.message).toMatch(message);
  });

  test('with an unpaired surrogate is rejected', async () => {
    const error = await expectErrorBody(sendRaw('/chat', '{"message":"\\ud83d"}'));
    expect(error.message).toEqual(['message must be well-formed Unicode']);
  });

  test('with __proto__ is rejected', async () => {
    const error = await expectErrorBody(
      sendRaw('/chat', '{"message":"hi","__proto__":{"stream":true}}'),
    );
    expect(error.message).toEqual(['__proto__ is not a known field']);
  });

  test('with very many unknown fields gets one message', async () => {
    const fields = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 1]));
    const { message } = await expectErrorBody(projectClient.post('/chat', fields));
    expect(message).toBe('The body must not have more than 100 fields');
  });

  test('cannot inject control characters into a message through a field name', async () => {
    const { message } = await expectErrorBody(
      sendRaw('/chat', '{"message":"hi","a\\n\\u001b[31m":1}'),
    );
    expect(message).toEqual(['a???31m is not a known field']);
  });

  test('longer than any valid body returns 413, with or without Content-Length', async () => {
    const long = JSON.stringify({ message: 'x'.repeat(1_200_000) });
    const tooLarge = { statusCode: 413, error: 'Payload Too Large', code: 'PAYLOAD_TOO_LARGE' };
    expect(await expectErrorBody(sendRaw('/chat', long))).toMatchObject(tooLarge);
    const chunked = { body: new Blob([long]).stream(), duplex: 'half' };
    const headers = { 'Content-Type': 'application/json' };
    const unannounced = projectClient.send('/chat', { method: 'POST', headers, ...chunked });
    expect(await expectErrorBody(unannounced)).toMatchObject(tooLarge);
  });

  test('may be omitted where no field is required', async () => {
    const response = await projectClient.post(`/knowledge/documents/${document.id}/retry`);
    expect(response.status).toBe(200);
    expect(asked).toEqual({ input: { id: document.id, projectId } });
  });
});

describe('the query', () => {
  test('is passed with defaults', async () => {
    await projectClient.get('/knowledge/documents');
    expect(asked).toEqual({ projectId, page: 1, limit: 20 });
    await projectClient.get('/knowledge/documents?page=3&limit=100&search=Tea%20caf%C3%A9');
    expect(asked).toEqual({ projectId, page: 3, limit: 100, search: 'Tea caf\u00e9' });
  });

  test.each([
    ['page=0', 'page must be an integer between 1 and 1000000'],
    ['page=1.5', 'page must be an integer between 1 and 1000000'],
    ['page=', 'page must be an integer between 1 and 1000000'],
    ['page=99999999999999999999', 'page must be an integer between 1 and 1000000'],
    ['limit=101', 'limit must be an integer between 1 and 100'],
    ['limit=-1', 'limit must be an integer between 1 and 100'],
    ['page=1&page=2', 'page must be passed once'],
    ['search=%00', 'search must not contain NUL characters'],
    ['serach=tea', 'serach is not a known parameter'],
    ['serach=tea&serach=mate', 'serach is not a known parameter'],
    ['constructor=1', 'constructor is not a known parameter'],
    ['a%0A%1B=1', 'a?? is not a known parameter'],
  ])('is rejected: %s', async (query, message) => {
    const error = await expectErrorBody(projectClient.get(`/knowledge/documents?${query}`));
    expect(error).toMatchObject({ statusCode: 400, message: [message] });
  });

  test('reports unknown parameters of an operation with a body, last', async () => {
    const error = await expectErrorBody(projectClient.post('/chat?page=1&limit=2', {}));
    expect(error.message).toEqual([
      'page is not a known parameter',
      'limit is not a known parameter',
      'message is required',
    ]);
  });

  test('with very many parameters gets one message', async () => {
    const query = Array.from({ length: 101 }, (_, index) => `f${index}=1`).join('&');
    const error = await expectErrorBody(projectClient.get(`/knowledge/documents?${query}`));
    expect(error.message).toBe('The query must not have more than 100 parameters');
  });

  test.each(['search=%', 'search=%E0%A4%A', 'search=%FF'])('is malformed: %s', async (query) => {
    const error = await expectErrorBody(projectClient.get(`/knowledge/documents?${query}`));
    expect(error).toMatchObject({ statusCode: 400, code: 'MALFORMED_REQUEST' });
  });
});

describe('the project', () => {
  test('is implied by a project-scoped key', async () => {
    await projectClient.post('/chat', { message: 'hi' });
    expect(asked.input).toEqual({ message: 'hi', projectId, resumable: false });
  });

  test('is the one named by an org-wide key', async () => {
    await orgWide.post('/chat', { message: 'hi', projectId: otherProjectId });
    expect(asked.input.projectId).toBe(otherProjectId);
    await orgWide.get(`/knowledge/documents?projectId=${otherProjectId}`);
    expect(asked.projectId).toBe(otherProjectId);
  });

  test.each([
    ['body', () => orgWide.post('/chat', { message: 'hi' })],
    ['body', () => orgWide.post(`/chat?projectId=${projectId}`, { message: 'hi' })],
    ['query', () => orgWide.get('/knowledge/documents')],
  ])('is required from an org-wide key in the %s', async (place, send) => {
    expect(await expectErrorBody(send())).toMatchObject({
      statusCode: 400,
      code: 'PROJECT_REQUIRED',
      message: `projectId is required in the ${place}: the API key is org-wide`,
    });
  });

  test('that is missing is reported together with the other errors', async () => {
    const error = await expectErrorBody(orgWide.post('/chat', { stream: 1 }));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.message).toEqual([
      'message is required',
      'stream must be a boolean',
      'projectId is required in the body: the API key is org-wide',
    ]);
  });

  test.each([
    ['the body', () => projectClient.post('/chat', { message: 'hi', projectId })],
    [
      'capitals',
      () => projectClient.post('/chat', { message: 'hi', projectId: projectId.toUpperCase() }),
    ],
    [
      'the wrong place',
      () => projectClient.post(`/chat?projectId=${projectId}`, { message: 'hi' }),
    ],
    ['the query', () => projectClient.get(`/knowledge/documents?projectId=${projectId}`)],
  ])('must not be sent with a project-scoped key: in %s', async (_where, send) => {
    expect(await expectErrorBody(send())).toMatchObject({
      statusCode: 400,
      code: 'PROJECT_NOT_ALLOWED',
      message: 'projectId must not be passed with a project-scoped key',
    });
  });

  test.each([
    ['the body', () => projectClient.post('/chat', { message: 'hi', projectId: otherProjectId })],
    ['no UUID', () => projectClient.post('/chat', { message: 'hi', projectId: 'nonsense' })],
    ['the query', () => projectClient.get(`/knowledge/documents?projectId=${otherProjectId}`)],
  ])('of another key is forbidden: %s', async (_where, send) => {
    expect(await expectErrorBody(send())).toMatchObject({
      statusCode: 403,
      error: 'Forbidden',
      code: 'PROJECT_FORBIDDEN',
    });
  });

  test('is checked after the shape of the request', async () => {
    const send = projectClient.post('/chat', { message: '', projectId: otherProjectId });
    expect((await expectErrorBody(send)).message).toEqual(['message must not be blank']);
  });
});
