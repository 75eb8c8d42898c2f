import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operatorClaims } from '../../src/server/token.ts';
import { expectErrorBody } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

// Tests the MCP server with the client of the official SDK.

let service: TestService;
let tenant: Tenant;
let client: Client;
const clients: Client[] = [];

async function connect(apiKey: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${apiKey}`, ...headers } },
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const call = (name: string, args: Record<string, unknown> = {}, caller = client) =>
  caller.callTool({ name, arguments: args });

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  const content = 'The lighthouse can be visited from nine in the morning. Dogs stay outside.';
  await addDocuments(service, tenant.projectId, { Visiting: content });
  client = await connect(await tenant.key());
});
afterAll(() => Promise.all(clients.map((client) => client.close())));

describe('tools', () => {
  test('are those of the scopes of the key', async () => {
    const names = async (caller: Client) =>
      (await caller.listTools()).tools.map(({ name }) => name).sort();
    expect(await names(client)).toEqual([
      ...['add_document', 'ask', 'list_documents', 'read_document', 'request_human', 'search'],
    ]);
    const reader = await connect(await tenant.key({ scopes: ['KNOWLEDGE_READ'] }));
    expect(await names(reader)).toEqual(['list_documents', 'read_document', 'search']);
    await expect(call('ask', { message: 'When?' }, reader)).rejects.toThrow(/ask/);
    const { tools } = await client.listTools();
    for (const tool of tools) expect(tool.outputSchema, tool.name).toBeDefined();
  });

  test('ask answers with citations, and continues the conversation', async () => {
    const first = await call('ask', { message: 'When can the lighthouse be visited?' });
    expect(first.isError).not.toBe(true);
    const answer = first.structuredContent as { conversationId: string };
    expect(answer).toMatchObject({
      content: expect.stringContaining('nine'),
      citations: [{ documentName: 'Visiting', quote: expect.stringContaining('nine') }],
      confidence: expect.any(Number),
    });
    expect(JSON.stringify(first.content)).toContain('[1] Visiting');
    const { conversationId } = answer;
    const second = await call('ask', { message: 'And dogs?', conversationId });
    expect(second.structuredContent).toMatchObject({
      conversationId,
      content: expect.stringContaining('Dogs stay outside'),
    });
    const human = await call('request_human', { conversationId, reason: 'A group of 40' });
    expect(human.structuredContent).toMatchObject({ conversationId, isNew: true });
    const again = await call('request_human', { conversationId });
    expect(again.structuredContent).toMatchObject({ conversationId, isNew: false });
  });

  test('ask reports its progress', async () => {
    const onprogress = vi.fn();
    await client.callTool(
      { name: 'ask', arguments: { message: 'When can the lighthouse be visited?' } },
      { onprogress },
    );
    expect(onprogress).toHaveBeenCalledWith(
      expect.objectContaining({ progress: expect.any(Number) }),
    );
  });

  test('an abandoned question leaves no answer in progress', async () => {
    const controller = new AbortController();
    const pending = client.callTool(
      { name: 'ask', arguments: { message: 'When can the lighthouse be visited?' } },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(pending).rejects.toThrow();
    const where = { projectId: tenant.projectId, status: 'GENERATING' } as const;
    await waitUntil(async () => (await service.system.db.message.count({ where })) === 0);
  });

  test('documents are added, listed, searched and read', async () => {
    const content = 'The harbour café opens at seven. It serves soup at noon.';
    const added = await call('add_document', { name: 'Café', content });
    const { document } = added.structuredContent as { document: { id: string } };
    await waitUntil(
      async () => {
        const { structuredContent } = await call('list_documents', { search: 'café' });
        const { documents } = structuredContent as { documents: { status: string }[] };
        return documents[0]?.status === 'READY';
      },
      { timeoutMs: 20_000, intervalMs: 200 },
    );
    const found = await call('search', { query: 'When is soup served?', limit: 1 });
    expect(found.structuredContent).toMatchObject({
      results: [{ documentName: 'Café', content: expect.stringContaining('soup') }],
    });
    const read = await call('read_document', { documentId: document.id });
    expect(read.structuredContent).toMatchObject({
      documentName: 'Café',
      text: expect.stringContaining('soup at noon'),
      nextCursor: null,
    });
  });

  test.each([
    ['search', { query: 'When can the lighthouse be visited?', limit: null, filter: null }],
    ['search', { query: 'When can the lighthouse be visited?', filter: {} }],
    ['ask', { message: 'When can the lighthouse be visited?', conversationId: null, filter: {} }],
    ['list_documents', { search: null }],
    ['read_document', { documentId: null }],
  ])('%s takes %j: null and {} count as absent if the argument is optional', async (name, args) => {
    const { isError, content } = await call(name, args);
    if (name === 'read_document') expect(JSON.stringify(content)).toContain('documentId');
    else expect({ isError, content }).toMatchObject({ isError: undefined });
  });

  test('have schemas without lists of types, references and rare keywords', async () => {
    const { tools } = await client.listTools();
    for (const { inputSchema, outputSchema } of tools) {
      const text = JSON.stringify([inputSchema, outputSchema]);
      expect(text).not.toMatch(/"type":\[|"\$ref"|"\$defs"|"propertyNames"|"patternProperties"/);
    }
    const search = JSON.stringify(tools.find(({ name }) => name === 'search')?.outputSchema);
    expect(search).toContain('"anyOf":[{"type":"string"},{"type":"null"}]');
  });

  test('invalid arguments and unknown ids are tool errors that say why', async () => {
    const nowhere = '01980a3c-0000-7000-8000-000000000000';
    const unknown = await call('read_document', { documentId: nowhere });
    expect(unknown).toMatchObject({ isError: true });
    expect(JSON.stringify(unknown.content)).toContain('NOT_FOUND');
    const misspelt = await call('ask', { message: 'When?', conversationID: nowhere });
    expect(misspelt).toMatchObject({ isError: true });
    expect(JSON.stringify(misspelt.content)).toContain('conversationID');
    const blank = await call('search', { query: ' ' });
    expect(JSON.stringify(blank.content)).toContain('must not be blank');
    const foreign = await service.createTenant();
    await addDocuments(service, foreign.projectId, { Secret: 'The safe opens with 4711.' });
    const found = await call('search', { query: 'How does the safe open?' });
    expect(JSON.stringify(found)).not.toContain('4711');
  });
});

test('documents are resources', async () => {
  const { resources } = await client.listResources();
  const visiting = resources.find(({ name }) => name === 'Visiting');
  const { contents } = await client.readResource({ uri: visiting?.uri ?? '' });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('nine in the morning') });
  const nowhere = 'grounded-chat://documents/01980a3c-0000-7000-8000-000000000000';
  await expect(client.readResource({ uri: nowhere })).rejects.toThrow(/not found/i);
});

describe('access', () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  const codeOf = async (headers: Record<string, string>) =>
    (await expectErrorBody(post(headers))).code;

  test('needs a key', async () => {
    expect(await codeOf({})).toBe('UNAUTHENTICATED');
    const response = await post({});
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  test('an org-wide key names the project', async () => {
    const apiKey = await tenant.key({ isOrgWide: true });
    const Authorization = `Bearer ${apiKey}`;
    expect(await codeOf({ Authorization })).toBe('PROJECT_REQUIRED');
    const orgWide = await connect(apiKey, { 'X-Project-Id': tenant.projectId });
    const found = await call('search', { query: 'dogs' }, orgWide);
    expect(JSON.stringify(found.structuredContent)).toContain('Dogs stay outside');
    const { projectId } = await service.createTenant();
    const other = await connect(apiKey, { 'X-Project-Id': projectId });
    expect(JSON.stringify(await call('search', { query: 'dogs' }, other))).toContain('NOT_FOUND');
    const bound = { Authorization: `Bearer ${await tenant.key()}`, 'X-Project-Id': projectId };
    expect(await codeOf(bound)).toBe('PROJECT_FORBIDDEN');
  });

  test('is refused to pages of other websites', async () => {
    const Authorization = `Bearer ${await tenant.key()}`;
    const { host } = new URL(service.url);
    const pages = [
      'https://example.com',
      'null',
      'http://localhost:1',
      `http://${host}.example.com`,
    ];
    for (const Origin of pages) {
      expect(await codeOf({ Authorization, Origin }), Origin).toBe('FORBIDDEN');
    }
    expect((await post({ Authorization, Origin: service.url })).status).toBe(200);
  });

  test('needs a scope of a tool', async () => {
    const apiKey = await tenant.key({ scopes: ['ANALYTICS_READ'] });
    expect(await codeOf({ Authorization: `Bearer ${apiKey}` })).toBe('SCOPE_MISSING');
  });

  test('has no metadata of OAuth unless it is configured', async () => {
    for (const path of ['', '/mcp']) {
      const response = fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect((await expectErrorBody(response)).code).toBe('NOT_FOUND');
    }
    const Authorization = `Bearer ${await service.token(operatorClaims('ada@example.com'))}`;
    expect(await codeOf({ Authorization })).toBe('UNAUTHENTICATED');
  });

  test('accepts one message per request, by POST', async () => {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${await tenant.key()}`,
    };
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const list = fetch(`${service.url}/mcp`, {
      ...{ method: 'POST', headers, body: JSON.stringify([ping, { ...ping, id: 2 }]) },
    });
    expect((await expectErrorBody(list)).code).toBe('MALFORMED_REQUEST');
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${service.url}/mcp`, { method, headers });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
    }
  });

  test('a stream is not held back by nginx', async () => {
    const params = {
      name: 'ask',
      arguments: { question: 'May dogs come inside?' },
      _meta: { progressToken: 1 },
    };
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${await tenant.key()}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('X-Accel-Buffering')).toBe('no');
    await response.text();
  });

  test('counts in the rate limit of the key', async () => {
    const response = await post({ Authorization: `Bearer ${await tenant.key()}` });
    expect(response.status).toBe(200);
    expect(response.headers.get('RateLimit')).toMatch(/r=\d+/);
  });
});
