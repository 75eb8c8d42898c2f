import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { schema } from '../../src/schema/schema.ts';
import { storeExchanges } from '../support/api/exchanges.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let operator: GraphqlClient;

interface Ids {
  readonly organizationId: string;
  readonly projectId: string;
  /** Id of the row whose nested list is read. */
  readonly parentId: string;
}

interface List {
  /** Selects the list, with the variables `$first`, `$after`, `$last` and `$before`. */
  readonly query: (ids: Ids) => string;
  /** Field of a row that identifies it. Default: `id`. */
  readonly key?: string;
  /** Adds rows. Returns the id of their parent if it is neither the organization nor the project. */
  readonly add: (tenant: Tenant) => Promise<unknown>;
  /** Table and column from which the row is deleted. */
  readonly table: string;
  readonly column?: string;
}

const count = [0, 1, 2, 3, 4];
const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 2)));
const page = 'first: $first, after: $after, last: $last, before: $before';

async function addConversations({ projectId }: Tenant) {
  for (const n of count) await addConversation(service, projectId, { lastMessageAt: at(n) });
}

async function addHandoffs({ projectId }: Tenant) {
  const ids: string[] = [];
  for (const n of count) {
    const conversationId = await addConversation(service, projectId);
    const id = newId();
    ids.push(id);
    await service.system.db.handoff.create({
      data: { id, projectId, conversationId, requestedAt: at(n) },
    });
  }
  return ids;
}

async function addDocumentRows({ projectId }: Tenant) {
  await service.system.db.document.createMany({
    data: count.map((n) => ({
      id: newId(),
      projectId,
      name: `Document ${n}`,
      sourceType: 'TEXT' as const,
      mimeType: 'text/plain',
      sizeBytes: 1,
      contentHash: '',
      status: 'READY' as const,
      createdAt: at(n),
    })),
  });
}

async function addKeys(tenant: Tenant) {
  for (const _ of count) await tenant.key();
}

async function addEndpoints({ projectId }: Tenant) {
  const ids = count.map(() => newId());
  await service.system.db.webhookEndpoint.createMany({
    data: ids.map((id) => ({ id, projectId, url: 'https://a.example', types: [], secret: 's' })),
  });
  return ids;
}

const lists: Readonly<Record<string, List>> = {
  ConversationMessagesConnection: {
    query: ({ parentId }) => `conversation(id: "${parentId}") { list: messages(${page}) `,
    add: ({ projectId }) => addConversation(service, projectId, { messages: ['a', 'b', 'c', 'd'] }),
    table: 'messages',
  },
  OrganizationAuditLogConnection: {
    query: ({ organizationId }) =>
      `organization(id: "${organizationId}") { list: auditLog(${page}) `,
    add: async ({ organizationId }) => {
      await service.system.db.auditEntry.createMany({
        data: count.map((n) => ({
          id: newId(),
          organizationId,
          createdAt: at(n),
          action: 'PROJECT_UPDATED',
          actorType: 'SYSTEM',
          targetType: 'PROJECT',
        })),
      });
    },
    table: 'audit_entries',
  },
  OrganizationMembersConnection: {
    query: ({ organizationId }) =>
      `organization(id: "${organizationId}") { list: members(${page}) `,
    add: async ({ organizationId }) => {
      await service.system.db.member.createMany({
        data: count.map((n) => ({
          id: newId(),
          organizationId,
          email: `m${n}+"'\\@a.example`,
          role: 'VIEWER' as const,
        })),
      });
    },
    table: 'members',
  },
  OrganizationProjectsConnection: {
    query: ({ organizationId }) =>
      `organization(id: "${organizationId}") { list: projects(${page}) `,
    add: async ({ organizationId }) => {
      for (const n of count) {
        await service.system.db.project.create({
          data: { id: newId(), organizationId, name: `Project ${n}` },
        });
      }
    },
    table: 'projects',
  },
  ProjectApiKeysConnection: {
    query: ({ projectId }) => `project(id: "${projectId}") { list: apiKeys(${page}) `,
    add: addKeys,
    table: 'api_keys',
  },
  ProjectConversationsConnection: {
    query: ({ projectId }) => `project(id: "${projectId}") { list: conversations(${page}) `,
    add: addConversations,
    table: 'conversations',
  },
  ProjectDocumentsConnection: {
    query: ({ projectId }) => `project(id: "${projectId}") { list: documents(${page}) `,
    add: addDocumentRows,
    table: 'documents',
  },
  ProjectHandoffsConnection: {
    query: ({ projectId }) => `project(id: "${projectId}") { list: handoffs(${page}) `,
    add: addHandoffs,
    table: 'handoffs',
  },
  QueryApiKeysConnection: {
    query: ({ organizationId }) => `list: apiKeys(organizationId: "${organizationId}", ${page}) `,
    add: addKeys,
    table: 'api_keys',
  },
  QueryConversationsConnection: {
    query: ({ projectId }) => `list: conversations(projectId: "${projectId}", ${page}) `,
    add: addConversations,
    table: 'conversations',
  },
  QueryDocumentChunksConnection: {
    query: ({ projectId, parentId }) =>
      `list: documentChunks(projectId: "${projectId}", documentId: "${parentId}", ${page}) `,
    add: async ({ projectId }) => {
      const text = count.map((n) => `# Part ${n}\n\n${`Sentence of part ${n}. `.repeat(60)}`);
      const [document] = await addDocuments(service, projectId, { 'Guide.md': text.join('\n\n') });
      return document?.id;
    },
    table: 'chunks',
  },
  QueryDocumentsConnection: {
    query: ({ projectId }) => `list: documents(projectId: "${projectId}", ${page}) `,
    add: addDocumentRows,
    table: 'documents',
  },
  QueryHandoffRatingsConnection: {
    query: ({ projectId }) => `list: handoffRatings(projectId: "${projectId}", ${page}) `,
    key: 'handoffId',
    add: async (tenant) => {
      const ids = await addHandoffs(tenant);
      await service.system.db.handoffSatisfaction.createMany({
        data: ids.map((handoffId, n) => ({
          handoffId,
          projectId: tenant.projectId,
          agent: 'a@a.example',
          rating: 4,
          ratedAt: at(n),
        })),
      });
    },
    table: 'handoff_satisfaction',
    column: 'handoff_id',
  },
  QueryHandoffsConnection: {
    query: ({ projectId }) =>
      `list: handoffs(projectId: "${projectId}", order: OLDEST_FIRST, ${page}) `,
    add: addHandoffs,
    table: 'handoffs',
  },
  QueryUnansweredQuestionsConnection: {
    query: ({ projectId }) => `list: unansweredQuestions(projectId: "${projectId}", ${page}) `,
    key: 'question',
    add: ({ projectId }) =>
      storeExchanges(
        service,
        projectId,
        ['parking', 'breakfast', 'a towel', 'a dog'].map((thing, n) => ({
          question: `Where is ${thing}?`,
          confidence: 0.1,
          hours: n,
        })),
      ),
    table: 'messages',
    column: 'content',
  },
  QueryWebhookDeliveriesConnection: {
    query: ({ projectId }) => `list: webhookDeliveries(projectId: "${projectId}", ${page}) `,
    add: async (tenant) => {
      const { projectId } = tenant;
      const [endpointId = ''] = await addEndpoints(tenant);
      const eventId = newId();
      const { db } = service.system;
      await db.webhookEvent.create({ data: { id: eventId, projectId, type: 't', data: {} } });
      for (const _ of count) {
        await db.webhookDelivery.create({ data: { id: newId(), projectId, eventId, endpointId } });
      }
    },
    table: 'webhook_deliveries',
  },
  QueryWebhookEndpointsConnection: {
    query: ({ projectId }) => `list: webhookEndpoints(projectId: "${projectId}", ${page}) `,
    add: addEndpoints,
    table: 'webhook_endpoints',
  },
};

beforeAll(async () => {
  service = await sharedService();
  operator = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Record<string, string> }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
}

async function prepare({ add, query, key = 'id', table, column = 'id' }: List) {
  const tenant = await service.createTenant();
  const parentId = String(await add(tenant));
  const selected = query({ ...tenant, parentId });
  const braces = selected.includes('{') ? '}' : '';
  const operation = `query ($first: Int, $after: String, $last: Int, $before: String) {
    ${selected} { edges { cursor node { ${key} } } pageInfo { hasNextPage hasPreviousPage } } ${braces} }`;
  const read = async (variables: object) => {
    const data = await operator.data<Record<string, Page & { readonly list: Page }>>(
      operation,
      variables,
    );
    const [root] = Object.values(data);
    const found: Page | undefined = root?.edges ? root : root?.list;
    if (found === undefined) throw new Error('The list is missing');
    return { ...found, ids: found.edges.map(({ node }) => node[key] ?? '') };
  };
  const remove = (id: string) =>
    service.ownerPool.query(`delete from grounded.${table} where ${column} = $1`, [id]);
  return { read, remove };
}

test('every list of the schema is in this table', () => {
  const connections = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.name.endsWith('Connection'),
  );
  expect(Object.keys(lists)).toEqual(connections.map(({ name }) => name).sort());
});

describe.each(Object.entries(lists))('%s', (_, list) => {
  test('goes on at the place of a cursor whose row was deleted, in both directions', async () => {
    const { read, remove } = await prepare(list);
    const all = await read({ first: 20 });
    expect(all.ids.length).toBeGreaterThanOrEqual(4);
    const { edges } = await read({ first: 2 });
    const second = edges[1]?.cursor;
    expect((await read({ first: 20, after: second })).ids).toEqual(all.ids.slice(2));
    expect((await read({ last: 1, before: second })).ids).toEqual(all.ids.slice(0, 1));

    await remove(all.ids[1] ?? '');
    const next = await read({ first: 1, after: second });
    expect(next.ids).toEqual(all.ids.slice(2, 3));
    expect(next.pageInfo.hasNextPage).toBe(true);
    const rest = await read({ first: 20, after: next.edges[0]?.cursor });
    expect(rest.ids).toEqual(all.ids.slice(3));
    expect(rest.pageInfo.hasNextPage).toBe(false);
    const before = await read({ last: 20, before: second });
    expect(before.ids).toEqual(all.ids.slice(0, 1));
  });
});
