import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { authenticateKey } from '../../src/domain/api-keys/authenticate-key.ts';
import { createContext } from '../../src/domain/context.ts';
import { watchDocuments } from '../../src/domain/knowledge/watch-documents.ts';
import { createSource } from '../../src/domain/sources/sources.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

// Every operation that returns documents hides those that do not match the filter of the key.

const scopes: readonly ApiKeyScope[] = [
  'CHAT',
  'KNOWLEDGE_READ',
  'CONVERSATIONS_READ',
  'ANALYTICS_READ',
  'KEYS_WRITE',
];
const filter = { tags: { in: ['public'] } };
const question = 'What is the code word of the harbour?';
/** Words of documents that the key may not see. No response may contain them. */
const secret = /Albatross|Internal/;

let service: TestService;
let tenant: Tenant;
let publicId: string;
let internalId: string;
let apiKey: string;
let client: RestClient;
let all: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  const [open, internal] = await addDocuments(service, tenant.projectId, {
    'Public guide': 'The code word of the harbour for guests is Pelican.',
    'Internal guide': 'The code word of the harbour for the staff is Albatross.',
  });
  const documents = [open, internal].filter((document) => document !== undefined);
  for (const { id, name } of documents) {
    const isPublic = name === 'Public guide';
    if (isPublic) publicId = id;
    else internalId = id;
    const data = { tags: [isPublic ? 'public' : 'internal'] };
    await service.system.db.document.update({ where: { id }, data });
  }
  apiKey = await newKey({ filter });
  client = clientOf(apiKey);
  all = await tenant.rest();
});

const clientOf = (key: string) => restClient(`${service.url}/api/v1`, key);

async function newKey(input: {
  readonly filter?: unknown;
  readonly scopes?: readonly ApiKeyScope[];
  readonly projectId?: string | null;
}): Promise<string> {
  const { organizationId, projectId } = tenant;
  const owner = { organizationId, projectId, name: 'Website' };
  return (await createApiKey(service.system, { ...owner, scopes, ...input })).secret;
}

async function textOf(response: Promise<Response>): Promise<string> {
  const answer = await response;
  expect(answer.status).toBeLessThan(300);
  return answer.text();
}

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly name: string } }[];
  readonly pageInfo: object;
}

describe('a key with a filter', () => {
  test('finds only matching documents, whatever filter the request has', async () => {
    const search = (body: object = {}) =>
      textOf(client.post('/knowledge/search', { query: question, limit: 50, ...body }));
    expect(await search()).toContain('Pelican');
    for (const body of [
      {},
      { filter: { name: { exists: true } } },
      { filter: { tags: { in: ['internal'] } } },
      { filter: { or: [{ tags: { in: ['internal'] } }, filter] } },
      { filter: { not: filter } },
    ]) {
      expect(await search(body)).not.toMatch(secret);
    }
    expect(await textOf(all.post('/knowledge/search', { query: question }))).toContain('Albatross');
  });

  test('answers only from matching documents, in JSON, streams and follow-ups', async () => {
    const chat = (body: object) => textOf(client.post('/chat', { message: question, ...body }));
    const first = await chat({});
    expect(first).toContain('Pelican');
    const { conversationId } = JSON.parse(first);
    const internal = { tags: { in: ['internal'] } };
    for (const body of [
      { stream: true },
      { conversationId, message: 'And for the staff?' },
      { message: 'Which word does the staff use? Albatros?' },
      { filter: internal },
      { filter: internal, stream: true },
    ]) {
      expect(await chat(body)).not.toMatch(/Albatross|Internal guide/);
    }
  });

  test('lists, reads and counts only matching documents', async () => {
    for (const query of ['', '?search=guide', '?search=internal', '?limit=1&page=2']) {
      const text = await textOf(client.get(`/knowledge/documents${query}`));
      expect(text).not.toMatch(secret);
      const isFound = query === '' || query === '?search=guide';
      expect(JSON.parse(text).data).toHaveLength(isFound ? 1 : 0);
      expect(JSON.parse(text).total).toBe(query === '?search=internal' ? 0 : 1);
    }
    expect((await client.get(`/knowledge/documents/${publicId}`)).status).toBe(200);
    const error = await expectErrorBody(client.get(`/knowledge/documents/${internalId}`));
    const other = '01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a';
    const unknown = await expectErrorBody(client.get(`/knowledge/documents/${other}`));
    expect([error.statusCode, error.message]).toEqual([404, unknown.message]);
  });

  test('reads only matching documents over GraphQL, in nested lists, too', async () => {
    const graphql = graphqlClient(service.url, apiKey);
    const { projectId } = tenant;
    const data = await graphql.data(
      `query ($projectId: ID!) {
        documents(projectId: $projectId, first: 10) { edges { node { id name } } }
        backwards: documents(projectId: $projectId, last: 1) { edges { node { name } } }
        documentPage(projectId: $projectId, page: 1, limit: 10, order: NAME) { total data { name } }
        searchKnowledge(projectId: $projectId, query: "code word") { content }
        explainSearch(projectId: $projectId, query: "code word of the staff Albatros") { correctedQuery results { result { content } } }
      }`,
      { projectId },
    );
    expect(JSON.stringify(data)).toContain('Public guide');
    expect(JSON.stringify(data)).not.toMatch(secret);
    const nested = await graphql.send(
      'query ($projectId: ID!) { project(id: $projectId) { documents(first: 10) { edges { node { name } } } } }',
      { projectId },
    );
    expect(JSON.stringify(nested)).not.toMatch(secret);
    for (const query of [
      'query ($projectId: ID!, $id: ID!) { document(id: $id, projectId: $projectId) { name } }',
      'query ($projectId: ID!, $id: ID!) { documentChunks(projectId: $projectId, documentId: $id) { edges { node { content } } } }',
    ]) {
      const refused = await graphql.send(query, { projectId, id: internalId });
      expect(refused.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
      expect(JSON.stringify(refused)).not.toMatch(secret);
      const found = await graphql.send(query, { projectId, id: publicId });
      expect(found.errors).toBeUndefined();
    }
  });

  test('sees pages of documents in their order, forwards and backwards', async () => {
    const own = await service.createTenant();
    const names = ['e', 'd', 'c', 'b', 'a'];
    for (const [index, name] of names.entries()) {
      await service.system.db.document.create({
        data: {
          ...{ id: newId(), projectId: own.projectId, name, status: 'READY' },
          ...{ sourceType: 'TEXT', mimeType: 'text/plain', contentHash: '0'.repeat(64) },
          ...{ sizeBytes: index, createdAt: new Date(2026, 0, index + 1) },
          tags: name === 'c' ? [] : ['public'],
        },
      });
    }
    const { organizationId, projectId } = own;
    const created = await createApiKey(service.system, {
      ...{ organizationId, projectId, name: 'Pages', scopes: ['KNOWLEDGE_READ'], filter },
    });
    const graphql = graphqlClient(service.url, created.secret);
    const page = async (args: string) => {
      const { documents } = await graphql.data<{ documents: Connection }>(
        `query ($projectId: ID!) { documents(projectId: $projectId, ${args}) {
          edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage } } }`,
        { projectId },
      );
      const { edges, pageInfo } = documents;
      const found = edges.map(({ node }) => node.name).join('');
      return { found, pageInfo, cursor: edges.at(-1)?.cursor, start: edges[0]?.cursor };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({ found: 'ab', pageInfo: { hasNextPage: true } });
    const second = await page(`first: 2, after: "${first.cursor}"`);
    expect(second).toMatchObject({ found: 'de', pageInfo: { hasNextPage: false } });
    expect(await page(`last: 1, before: "${second.start}"`)).toMatchObject({ found: 'b' });
    expect(await page('last: 3')).toMatchObject({ found: 'bde' });
    const rest = clientOf(created.secret);
    const { data, total } = await (await rest.get('/knowledge/documents?limit=3&page=2')).json();
    expect([data.map(({ name }: { name: string }) => name), total]).toEqual([['e'], 4]);
  });

  test('reads only matching documents over MCP', async () => {
    const mcp = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
    );
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await mcp.callTool({ name, arguments: args }));
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('add_document');
    for (const text of [
      await call('search', { query: question, limit: 50 }),
      await call('ask', { message: `${question} For the staff?` }),
      await call('list_documents', {}),
      await call('read_document', { documentId: internalId }),
      JSON.stringify(await mcp.listResources()),
    ]) {
      expect(text).not.toMatch(secret);
    }
    const uri = `grounded-chat://documents/${internalId}`;
    await expect(mcp.readResource({ uri })).rejects.toThrow();
    expect(await call('read_document', { documentId: publicId })).toContain('Pelican');
    await mcp.close();
  });

  test('answers only from matching documents in the interface for OpenAI', async () => {
    const ask = async (path: string, body: object) => {
      const response = await fetch(`${service.url}/v1/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ model: 'grounded', filter: { name: { exists: true } }, ...body }),
      });
      expect(response.status).toBe(200);
      return response.text();
    };
    const content = 'What is the code word for the staff?';
    const messages = [{ role: 'user', content }];
    for (const stream of [false, true]) {
      expect(await ask('chat/completions', { messages, stream })).not.toMatch(
        /Albatross|Internal guide/,
      );
      expect(await ask('responses', { input: content, stream })).not.toMatch(
        /Albatross|Internal guide/,
      );
    }
  });

  test('watches only matching documents', async () => {
    const stopped = new AbortController();
    const { projectId } = tenant;
    const { caller } = await authenticateKey(service.system, `Bearer ${apiKey}`);
    const scope = { signal: stopped.signal, requestId: null };
    const documents = await watchDocuments(createContext(service.adapters, caller, scope), {
      projectId,
    });
    const next = documents.next();
    for (const id of [internalId, publicId]) {
      for (const status of ['FAILED', 'READY'] as const) {
        await service.system.db.document.update({ where: { id }, data: { status } });
      }
    }
    expect((await next).value).toMatchObject({ id: publicId });
    stopped.abort();
  });

  test('cannot write documents or manage webhooks', async () => {
    for (const scope of ['KNOWLEDGE_WRITE', 'WEBHOOKS_WRITE'] as const) {
      await expect(newKey({ filter, scopes: ['CHAT', scope] })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        messages: [expect.stringMatching(/^scopes must not contain .* if the key has a filter$/)],
      });
    }
    // The service refuses the request even if the scope is stored in the row of the key.
    const key = await newKey({ filter, scopes: ['KNOWLEDGE_READ'] });
    await service.system.db.apiKey.updateMany({
      where: { lastFour: key.slice(-4), projectId: tenant.projectId },
      data: { scopes: ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE', 'WEBHOOKS_WRITE'] },
    });
    const writer = clientOf(key);
    const body = { name: 'New', content: 'Text' };
    expect((await writer.post('/knowledge/documents', body)).status).toBe(403);
    expect((await writer.delete(`/knowledge/documents/${publicId}`)).status).toBe(403);
    expect((await writer.get('/webhooks')).status).toBe(403);
  });
});

test('a key with a filter does not read sources, whose runs name all pages', async () => {
  const { projectId } = tenant;
  const config = { startUrls: ['https://intranet.example/'] };
  const input = { projectId, kind: 'WEBSITE', name: 'Intranet', config } as const;
  const { id } = await createSource(service.system, input);
  const path = '/knowledge/sources';
  for (const url of [path, `${path}/${id}`, `${path}/${id}/runs`]) {
    expect((await all.get(url)).status).toBe(200);
    const error = await expectErrorBody(client.get(url));
    expect(error).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
    expect(error.message).toBe('API keys with a filter may not do this');
  }
  const graphql = graphqlClient(service.url, apiKey);
  for (const field of [
    'source(id: $id, projectId: $projectId) { name }',
    'sourcePage(projectId: $projectId, page: 1, limit: 10) { data { name } }',
    'sourceRunPage(id: $id, projectId: $projectId, page: 1, limit: 10) { data { id } }',
  ]) {
    const ids = field.includes('$id') ? '$id: ID!, $projectId: ID!' : '$projectId: ID!';
    const refused = await graphql.send(`query (${ids}) { ${field} }`, { id, projectId });
    expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(JSON.stringify(refused)).not.toMatch(/Intranet|intranet/);
  }
});

describe('keys of a key with a filter', () => {
  const create = (by: RestClient, body: object) =>
    by.post('/keys', { name: 'Child', scopes: ['knowledge:read', 'keys:write'], ...body });

  test('have its filter, and their own in addition', async () => {
    const inherited = await (await create(client, {})).json();
    expect(inherited.filter).toEqual(filter);
    const own = { name: { exists: true } };
    const narrowed = await (await create(client, { filter: own })).json();
    expect(narrowed.filter).toEqual({ and: [filter, own] });
    for (const { secret: key } of [inherited, narrowed]) {
      const text = await textOf(clientOf(key).get('/knowledge/documents'));
      expect(text).toContain('Public guide');
      expect(text).not.toMatch(secret);
    }
    const excluding = await (await create(client, { filter: { not: filter } })).json();
    const { total } = await (await clientOf(excluding.secret).get('/knowledge/documents')).json();
    expect(total).toBe(0);
  });

  test('are the only keys that it rotates', async () => {
    const child = await (await create(client, { filter: { name: { exists: true } } })).json();
    const rotated = await (await client.post(`/keys/${child.id}/rotate`)).json();
    expect(rotated.filter).toEqual(child.filter);
    const unfiltered = await (await create(clientOf(await newKey({})), {})).json();
    expect(unfiltered.filter).toBeNull();
    expect((await client.post(`/keys/${unfiltered.id}/rotate`)).status).toBe(403);
    const other = await (
      await create(clientOf(await newKey({})), { filter: { name: { eq: 'x' } } })
    ).json();
    expect((await client.post(`/keys/${other.id}/rotate`)).status).toBe(403);
  });

  test('need a valid filter', async () => {
    const byAll = clientOf(await newKey({}));
    const error = await expectErrorBody(create(byAll, { filter: { tags: { gt: 'a' } } }));
    expect(error.statusCode).toBe(400);
    expect(error.message).toEqual(['filter.tags.gt is not possible: tags has no order']);
    expect((await create(byAll, { filter: {} })).status).toBe(400);
    const long = { name: { in: Array(100).fill('n'.repeat(200)) } };
    expect((await create(byAll, { filter: long })).status).toBe(400);
    const deep = { not: { not: { not: { not: { name: { eq: 'a' } } } } } };
    expect((await create(byAll, { filter: deep })).status).toBe(201);
    expect((await create(client, { filter: deep })).status).toBe(400);
  });

  test('appear with their filter in lists and over GraphQL', async () => {
    const { data } = await (await client.get('/keys')).json();
    expect(data).toContainEqual(expect.objectContaining({ name: 'Website', filter }));
  });
});

test('an org-wide key with a filter sees matching documents of each project', async () => {
  const key = clientOf(await newKey({ filter, projectId: null }));
  const { projectId } = tenant;
  const text = await textOf(key.get(`/knowledge/documents?projectId=${projectId}`));
  expect(text).toContain('Public guide');
  expect(text).not.toMatch(secret);
  const found = await textOf(key.post('/knowledge/search', { projectId, query: question }));
  expect(found).not.toMatch(secret);
});
