import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { ingestDocumentJob } from '../../src/domain/knowledge/ingestion/ingest-document.ts';
import { newId } from '../../src/platform/ids.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { recordStatements } from '../support/database/record-statements.ts';
import { type StatementCount, statementCounts } from '../support/database/statement-counts.ts';
import { waitForProjectIndex } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let models: OpenAiServer;
/** Has built-in models. No service of this file has workers, so that a job runs only when it is counted. */
let service: TestService;
let chatService: TestService;
let unindexedService: TestService;
let tenant: Tenant;
let client: RestClient;
let orgWide: RestClient;
let chatClient: RestClient;
let unindexedClient: RestClient;

const question = 'Where is the key of room 7?';

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({ isWorker: false, databaseReplicas: [] });
  const options = { database: service.database, isWorker: false, databaseReplicas: [] };
  chatService = await startTestService({ ...options, openAi: models.chatModelConfig });
  unindexedService = await startTestService({ ...options, searchIndexMegabytes: 0 });
  tenant = await service.createTenant();
  const key = await tenant.key();
  client = clientOf(service, key);
  orgWide = clientOf(service, await tenant.key({ isOrgWide: true }));
  chatClient = clientOf(chatService, key);
  unindexedClient = clientOf(unindexedService, key);
  // The service caches the language of the documents only if there are at least 32 chunks.
  await Promise.all(Array.from({ length: 32 }, (_, room) => addRoom(room + 1)));
  await search(client);
  await ask();
  await waitForProjectIndex(service, tenant.projectId);
  await waitForProjectIndex(chatService, tenant.projectId);
}, 60_000);

afterAll(async () => {
  await chatService?.stop();
  await unindexedService?.stop();
  await service?.stop();
  await models?.close();
});

const clientOf = ({ url }: TestService, key: string) => restClient(`${url}/api/v1`, key);

async function addRoom(room: number): Promise<void> {
  const content = `The key of room ${room} is at the desk.`;
  const input = { name: `Room ${room}.md`, content, metadata: { kind: 'room' } };
  await ingest(tenant, await addWaiting(tenant, input));
}

/** Creates a document whose ingestion has not started. Returns its id. */
async function addWaiting(
  { projectId }: Tenant,
  input = { name: 'Pool', content: 'The pool opens at seven.', metadata: {} },
): Promise<string> {
  return (await createDocument(service.system, { projectId, ...input })).id;
}

/** Runs the job of a document as a worker does. */
async function ingest({ projectId }: Tenant, documentId: string): Promise<void> {
  const { signal } = new AbortController();
  const attempt = { signal, isLast: false, requestId: null };
  await ingestDocumentJob.run(service.adapters, { projectId, documentId }, attempt);
}

async function ask(fields: object = {}): Promise<string> {
  const body = { message: question, stream: true, ...fields };
  return (await expectStatus(200, chatClient.post('/chat', body))).text();
}

function search(from: RestClient, fields: object = {}) {
  return expectStatus(200, from.post('/knowledge/search', { query: question, ...fields }));
}

function createText(from: RestClient, fields: object = {}, headers: HeadersInit = {}) {
  const body = JSON.stringify({ name: 'Pool', content: 'The pool opens at seven.', ...fields });
  const json = { 'Content-Type': 'application/json', ...headers };
  return expectStatus(
    201,
    from.send('/knowledge/documents', { method: 'POST', headers: json, body }),
  );
}

async function expectStatus(status: number, request: Promise<Response>): Promise<Response> {
  const response = await request;
  expect(response.status).toBe(status);
  return response;
}

const requests: Record<keyof typeof statementCounts, () => Promise<StatementCount>> = {
  newConversation: () => countLowest(() => ask(), chatService),
  async followUp() {
    const [, conversationId] = /"conversationId":"([^"]+)"/.exec(await ask()) ?? [];
    return countLowest(() => ask({ conversationId }), chatService);
  },
  search: () => countLowest(() => search(client)),
  filteredSearch: () =>
    countLowest(() => search(client, { filter: { 'metadata.kind': { eq: 'room' } } })),
  unindexedSearch: () => countLowest(() => search(unindexedClient), unindexedService),
  searchOfOrganization: () => countLowest(() => search(orgWide, { projectId: tenant.projectId })),
  textDocument: () => countLowest(() => createText(client)),
  textDocumentOfOrganization: () =>
    countLowest(() => createText(orgWide, { projectId: tenant.projectId })),
  idempotentTextDocument: () =>
    countLowest(() => createText(client, {}, { 'Idempotency-Key': randomUUID() })),
  fileDocument: () =>
    countLowest(() => {
      const file = new File(['The pool opens at seven.'], 'pool.txt');
      return expectStatus(201, client.upload('/knowledge/documents/upload', file));
    }),
  ingestion: async () => countIngestion(await service.createTenant()),
  async ingestionWithWebhook() {
    const subscriber = await service.createTenant();
    const endpoint = { url: 'https://example.com/', types: ['document.ready'], secret: 'whsec_x' };
    await service.system.db.webhookEndpoint.create({
      data: { id: newId(), projectId: subscriber.projectId, ...endpoint },
    });
    return countIngestion(subscriber);
  },
  async documentList() {
    const { key, projectId } = await service.createTenant();
    await addDocumentRows(projectId, 100);
    const lister = clientOf(service, await key());
    return countLowest(async () => {
      const list = await expectStatus(200, lister.get('/knowledge/documents?limit=100'));
      expect((await list.json()).data).toHaveLength(100);
    });
  },
  async conversation() {
    const messages = ['Where is the key?', 'At the desk.'];
    const id = await addConversation(service, tenant.projectId, { messages });
    return countLowest(() => expectStatus(200, client.get(`/conversations/${id}`)));
  },
};

async function addDocumentRows(projectId: string, count: number): Promise<void> {
  const fields = {
    sourceType: 'TEXT',
    mimeType: 'text/plain',
    contentHash: '0'.repeat(64),
  } as const;
  await service.system.db.document.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...{ id: newId(), projectId, name: `Document ${n}`, sizeBytes: 1 },
      ...fields,
    })),
  });
}

/** Counts the statements from the start of the job until the document is READY. No other document is waiting. */
async function countIngestion(owner: Tenant): Promise<StatementCount> {
  const { db } = service.system;
  return lowestOf(async () => {
    const id = await addWaiting(owner);
    const count = await countOnce(() => ingest(owner, id), service);
    expect(await db.document.findUnique({ where: { id } })).toMatchObject({ status: 'READY' });
    return count;
  });
}

const countLowest = (work: () => Promise<unknown>, of: TestService = service) =>
  lowestOf(() => countOnce(work, of));

/**
 * Counts several times and returns the lowest count, because other work of the service may run at the same time. An
 * example is the storing of token counts.
 */
async function lowestOf(count: () => Promise<StatementCount>): Promise<StatementCount> {
  let lowest = await count();
  for (let n = 1; n < 5; n += 1) {
    const next = await count();
    if (next.statements < lowest.statements) lowest = next;
  }
  return lowest;
}

async function countOnce(
  work: () => Promise<unknown>,
  { adapters }: TestService,
): Promise<StatementCount> {
  const statements = await recordStatements(adapters.pool, work);
  const separate = statements.filter(({ isInTransaction }) => !isInTransaction);
  return { statements: statements.length, inOwnTransaction: separate.length };
}

test.each(Object.entries(statementCounts))(
  'the documented number of statements is correct: %s',
  async (request, { name: _, ...documented }) => {
    const count = requests[request as keyof typeof statementCounts];
    expect(await count()).toEqual(documented);
  },
);
