import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI, { BadRequestError } from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { streamChat } from '../support/api/chat-stream.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

// Tests `filter` in every interface, and that results and citations contain the metadata of their document.

let service: TestService;
let tenant: Tenant;
let apiKey: string;
let client: RestClient;

const question = 'How many days of leave does an employee have?';
const eu = { 'metadata.region': { eq: 'eu' } };
const us = { 'metadata.region': { eq: 'us' } };
const euLink = { sourceUrl: 'https://example.com/eu', metadata: { region: 'eu', year: 2024 } };

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  apiKey = await tenant.key();
  client = restClient(`${service.url}/api/v1`, apiKey);
  const documents = await addDocuments(service, tenant.projectId, {
    'Leave EU': 'In Europe an employee has thirty days of leave in a year.',
    'Leave US': 'In America an employee has fifteen days of leave in a year.',
  });
  for (const { id, name } of documents) {
    const data =
      name === 'Leave EU'
        ? { ...euLink, tags: ['hr'], externalId: 'leave-eu' }
        : { metadata: { region: 'us', year: '2024' }, tags: ['hr', 'old'] };
    await service.system.db.document.update({ where: { id }, data });
  }
});

async function searchNames(filter: unknown): Promise<string[]> {
  const response = await client.post('/knowledge/search', { query: question, filter });
  expect(response.status).toBe(200);
  const { results } = await response.json();
  return results.map(({ documentName }: { documentName: string }) => documentName).sort();
}

const invalid = { 'metadata.region': { like: 'eu' } };
const problem = 'filter.metadata.region.like is not an operator';

describe('search', () => {
  test.each([
    [eu, ['Leave EU']],
    [us, ['Leave US']],
    [{ tags: { in: ['hr'] } }, ['Leave EU', 'Leave US']],
    [{ tags: { nin: ['old'] } }, ['Leave EU']],
    [{ 'metadata.year': { gte: 2024 } }, ['Leave EU']],
    [{ 'metadata.year': { eq: '2024' } }, ['Leave US']],
    [{ not: eu }, ['Leave US']],
    [{ or: [eu, us], externalId: { exists: false } }, ['Leave US']],
    [{ externalId: { eq: 'leave-eu' } }, ['Leave EU']],
    [{ createdAt: { lt: '2000-01-01' } }, []],
    [null, ['Leave EU', 'Leave US']],
  ])('with the filter %j finds %j', async (filter, names) => {
    expect(await searchNames(filter)).toEqual(names);
  });

  test('returns address and metadata of the documents, and the same scores as without a filter', async () => {
    const search = async (body: object) =>
      (await (await client.post('/knowledge/search', { query: question, ...body })).json()).results;
    const [filtered] = await search({ filter: eu });
    expect(filtered).toMatchObject({ documentName: 'Leave EU', ...euLink });
    const all = await search({});
    // A search compares the sentences of all results in one batch. The size of the batch changes the rounding.
    const score = expect.closeTo(filtered.score, 5);
    expect(all).toContainEqual({ ...filtered, score });
    expect(all).toContainEqual(
      expect.objectContaining({ documentName: 'Leave US', sourceUrl: null }),
    );
  });

  test('refuses an invalid filter with 400 and names the place', async () => {
    const send = (filter: unknown) => client.post('/knowledge/search', { query: question, filter });
    const error = await expectErrorBody(send(invalid));
    expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect(error.message).toEqual([expect.stringContaining(problem)]);
    for (const filter of ['eu', [eu], {}, { or: [] }]) {
      expect((await expectErrorBody(send(filter))).statusCode).toBe(400);
    }
  });

  test('does not show words of documents that the filter excludes as corrections', async () => {
    const correct = async (filter: unknown) => {
      const data = { query: 'How many days in Amerrica?', filter };
      const response = await client.post('/knowledge/search', data);
      return JSON.stringify(await response.json());
    };
    expect(await correct(us)).toContain('America');
    expect(await correct(eu)).not.toContain('America');
  });
});

describe('chat', () => {
  const chat = async (body: object) => (await client.post('/chat', body)).json();

  test('answers from the documents of the filter, and cites them with address and metadata', async () => {
    const answer = await chat({ message: question, filter: eu });
    expect(answer.content).toContain('thirty');
    expect(answer.citations).toMatchObject([{ documentName: 'Leave EU', ...euLink }]);
    const path = `/conversations/${answer.conversationId}`;
    const { messages } = await (await client.get(path)).json();
    expect(messages[1].citations).toEqual(answer.citations);
    expect((await chat({ message: question, filter: us })).content).toContain('fifteen');
  });

  test('applies the filter to its message only', async () => {
    const first = await chat({ message: question, filter: eu });
    const { conversationId } = first;
    const next = await chat({
      ...{ conversationId, filter: us },
      message: 'How many days of leave does an employee have in America?',
    });
    expect(next.content).toContain('fifteen');
    const nothing = await chat({ message: question, filter: { tags: { eq: 'finance' } } });
    expect(nothing).toMatchObject({ citations: [] });
  });

  test('streams the citations with address and metadata', async () => {
    const events = await (await streamChat(client, { message: question, filter: eu })).readToEnd();
    for (const type of ['sources', 'done']) {
      const event = events.find((event) => event.type === type);
      expect(event).toMatchObject({ citations: [euLink] });
    }
  });

  test('refuses an invalid filter before anything is stored', async () => {
    const before = await service.system.db.message.count({ where: tenantWhere() });
    const error = await expectErrorBody(
      client.post('/chat', { message: question, filter: invalid }),
    );
    expect(error).toMatchObject({ statusCode: 400, message: [expect.stringContaining(problem)] });
    const stream = { message: question, filter: invalid, stream: true };
    expect((await expectErrorBody(client.post('/chat', stream))).statusCode).toBe(400);
    expect(await service.system.db.message.count({ where: tenantWhere() })).toBe(before);
  });

  test('an idempotency key belongs to a request with its filter', async () => {
    const send = (filter: object) =>
      client.send('/chat', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'filter-1' },
        body: JSON.stringify({ message: question, filter }),
      });
    expect((await send(eu)).status).toBe(200);
    expect((await send(us)).status).toBe(422);
  });

  test('shows citations that an older version stored, without address and metadata', async () => {
    const { messageId, conversationId } = await chat({ message: question, filter: eu });
    const { citations } = await service.system.db.message.findUniqueOrThrow({
      where: { id: messageId },
    });
    const stored = citations as { sourceUrl?: unknown; metadata?: unknown }[];
    const old = stored.map(({ sourceUrl: _, metadata: __, ...citation }) => citation as object);
    await service.system.db.message.update({ where: { id: messageId }, data: { citations: old } });
    const { messages } = await (await client.get(`/conversations/${conversationId}`)).json();
    expect(messages[1].citations).toMatchObject([{ sourceUrl: null, metadata: {} }]);
  });
});

const tenantWhere = () => ({ projectId: tenant.projectId });

describe('OpenAI', () => {
  const clientOf = () => new OpenAI({ apiKey, baseURL: `${service.url}/v1`, maxRetries: 0 });
  const messages = [{ role: 'user', content: question }] as const;
  const extended = <Body extends object>(body: Body, filter: unknown) => ({ ...body, filter });

  test('chat completions and responses take a filter, and link the documents', async () => {
    const openai = clientOf();
    const completion = await openai.chat.completions.create(
      extended({ model: 'grounded', messages: [...messages] }, eu),
    );
    expect(completion.choices[0]?.message).toMatchObject({
      content: expect.stringContaining('thirty'),
      annotations: [{ file_citation: { filename: 'Leave EU', url: euLink.sourceUrl } }],
    });
    const response = await openai.responses.create(
      extended({ model: 'grounded', input: question }, us),
    );
    expect(response.output_text).toContain('fifteen');
    expect(JSON.stringify(response.output)).not.toContain('"url"');
  });

  test('refuse an invalid filter, also one with null', async () => {
    for (const filter of [invalid, { ...eu, tags: null }]) {
      await expect(
        clientOf().chat.completions.create(
          extended({ model: 'grounded', messages: [...messages] }, filter),
        ),
      ).rejects.toThrow(BadRequestError);
    }
  });
});

test('the MCP tools search and ask take a filter', async () => {
  const mcp = new Client({ name: 'test', version: '1.0.0' });
  const url = new URL(`${service.url}/mcp`);
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const call = (name: string, args: Record<string, unknown>) =>
    mcp.callTool({ name, arguments: args });
  const found = await call('search', { query: question, filter: eu });
  expect(found.structuredContent).toMatchObject({ results: [euLink] });
  const answer = await call('ask', { message: question, filter: eu });
  expect(answer.structuredContent).toMatchObject({ citations: [euLink] });
  const refused = await call('ask', { message: question, filter: invalid });
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused.content)).toContain(problem);
  await mcp.close();
});
