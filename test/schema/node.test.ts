import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { schema } from '../../src/schema/schema.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { insertQuestionSet } from '../support/evaluation/evaluation.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
/** For each type, an id of this type in the tenant. */
let ids: Readonly<Record<string, string>>;

/**
 * Types whose `id` cannot be passed to `node`: views of another type, and a user of the identity
 * provider.
 */
const otherIds = ['KeyProject', 'Transcript', 'Viewer'];

/** For each scope of an API key, the types that the scope may read. */
const typesByScope: Readonly<Partial<Record<ApiKeyScope, readonly string[]>>> = {
  CHAT: [],
  KNOWLEDGE_READ: ['Chunk', 'Document', 'Source', 'SourceRun'],
  KNOWLEDGE_WRITE: [],
  CONVERSATIONS_READ: ['Conversation', 'Handoff', 'Label', 'Message'],
  ANALYTICS_READ: [],
  HANDOFF_WRITE: ['ConversationEvent', 'ConversationNote', 'SavedReply'],
  WEBHOOKS_WRITE: ['WebhookDelivery', 'WebhookEndpoint'],
  KEYS_WRITE: ['ApiKey'],
  EVALUATION_READ: ['EvaluationRun', 'QuestionSet', 'SetQuestion'],
  EVALUATION_WRITE: [],
};
const adminTypes = ['ApiKey', 'WebhookDelivery', 'WebhookEndpoint'];

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  ids = await addRows(tenant);
});

test('every type with an id implements Node', () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  const named = types.filter((type) => 'id' in type.getFields()).map(({ name }) => name);
  const nodes = types.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  expect(named.sort()).toEqual([...nodes.map(({ name }) => name), ...otherIds].sort());
  expect(Object.keys(ids).sort()).toEqual(nodes.map(({ name }) => name).sort());
});

test('returns each type by its id, with fields of related rows', async () => {
  const client = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  expect(await readableTypes(client)).toEqual(Object.keys(ids).sort());
  const data = await client.data<{ readonly nodes: readonly object[] }>(
    `query ($ids: [ID!]!) {
      nodes(ids: $ids) {
        id
        ... on Conversation { title handoff { id } messages(first: 1) { edges { node { content } } } }
        ... on Project { organization { id } assistant { fallbackText } }
        ... on WebhookDelivery { eventType }
      }
    }`,
    { ids: [ids.Conversation, ids.Project, ids.WebhookDelivery] },
  );
  expect(data.nodes).toMatchObject([
    { id: ids.Conversation, title: 't', handoff: { id: ids.Handoff } },
    { id: ids.Project, organization: { id: tenant.organizationId } },
    { id: ids.WebhookDelivery, eventType: 'document.ready' },
  ]);
});

describe('reads only what the role or the scope allows, and discloses nothing else', () => {
  test.each(['OWNER', 'ADMIN', 'AGENT', 'VIEWER'] as const)('%s', async (role) => {
    const hidden = [
      ...(role === 'OWNER' ? [] : ['AuditEntry']),
      ...(role === 'OWNER' || role === 'ADMIN' ? [] : adminTypes),
      ...(role === 'VIEWER' ? ['ConversationEvent', 'ConversationNote', 'SavedReply'] : []),
    ];
    const visible = Object.keys(ids).filter((type) => !hidden.includes(type));
    expect(await readableTypes(await tenant.member(role))).toEqual(visible.sort());
  });

  test.each(Object.entries(typesByScope))('%s', async (scope, types) => {
    const key = await tenant.key({ scopes: [scope as ApiKeyScope] });
    expect(await readableTypes(graphqlClient(service.url, key))).toEqual(types);
  });
});

test('returns nothing of another organization or project', async () => {
  const stranger = await service.createTenant();
  expect(await readableTypes(await stranger.member('OWNER'))).toEqual([]);
  const { organizationId } = tenant;
  const project = { id: newId(), organizationId, name: 'Other' };
  await service.system.db.project.create({ data: project });
  const scopes = Object.keys(typesByScope) as ApiKeyScope[];
  const keys = [
    await stranger.key({ scopes }),
    await stranger.key({ scopes, isOrgWide: true }),
    await tenant.key({ scopes, projectId: project.id }),
  ];
  for (const key of keys) expect(await readableTypes(graphqlClient(service.url, key))).toEqual([]);
});

test('an org-wide key reads all projects of its organization', async () => {
  const key = await tenant.key({ scopes: ['KNOWLEDGE_READ'], isOrgWide: true });
  const types = await readableTypes(graphqlClient(service.url, key));
  expect(types).toEqual(typesByScope.KNOWLEDGE_READ);
});

test('a key with a filter reads documents that match it, and no sources', async () => {
  const { organizationId, projectId } = tenant;
  const keyWith = async (tag: string) => {
    const filter = { tags: { in: [tag] } };
    const scopes: ApiKeyScope[] = ['KNOWLEDGE_READ'];
    const input = { organizationId, projectId, name: 'k', scopes, filter };
    return graphqlClient(service.url, (await createApiKey(service.system, input)).secret);
  };
  expect(await readableTypes(await keyWith('public'))).toEqual(['Chunk', 'Document']);
  expect(await readableTypes(await keyWith('internal'))).toEqual([]);
});

test('refuses unknown and malformed ids, anonymous callers and more than 20 ids', async () => {
  const client = await tenant.member('OWNER');
  for (const id of [newId(), 'Document:1', '', "' or true --"]) {
    expect(await codeOf(client, id)).toBe('NOT_FOUND');
  }
  const anonymous = graphqlClient(service.url, null);
  expect(await codeOf(anonymous, ids.Document ?? '')).toBe('UNAUTHENTICATED');
  const tooMany = { ids: Array.from({ length: 21 }, newId) };
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const { errors } = await client.send(query, tooMany);
  expect(errors).toMatchObject([
    { message: 'ids must have at most 20 entries', extensions: { code: 'VALIDATION_FAILED' } },
  ]);
});

test('nodes returns null and an error at the place of an id that the caller may not read', async () => {
  const client = await tenant.member('OWNER');
  const given = { ids: [ids.Document, newId(), ids.Handoff] };
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const { data, errors } = await client.send(query, given);
  expect(data).toEqual({ nodes: [{ id: ids.Document }, null, { id: ids.Handoff }] });
  expect(errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'NOT_FOUND' } }]);
});

/** Returns the types that `node` returns for the ids of the tenant. Expects NOT_FOUND for every other id. */
async function readableTypes(client: GraphqlClient): Promise<string[]> {
  const types: string[] = [];
  for (const [type, id] of Object.entries(ids)) {
    const { data, errors } = await client.send(nodeQuery, { id });
    if (errors === undefined) {
      expect(data).toEqual({ node: { __typename: type, id } });
      types.push(type);
    } else {
      expect(data).toEqual({ node: null });
      expect(errors).toMatchObject([
        { message: 'Node not found', extensions: { code: 'NOT_FOUND' } },
      ]);
    }
  }
  return types.sort();
}

async function codeOf(client: GraphqlClient, id: string): Promise<string | undefined> {
  return (await client.send(nodeQuery, { id })).errors?.[0]?.extensions.code;
}

const nodeQuery = 'query ($id: ID!) { node(id: $id) { __typename id } }';

async function addRows({ organizationId, projectId }: Tenant): Promise<Record<string, string>> {
  const { db } = service.system;
  const event = { id: newId(), projectId, type: 'document.ready', data: {} };
  const config = { startUrls: ['https://example.com/'] };
  const document = { id: newId(), projectId, name: 'n', mimeType: 'text/plain', contentHash: '' };
  const state = { sourceType: 'TEXT', sizeBytes: 1, status: 'FAILED' } as const;
  await db.document.create({ data: { ...document, ...state, tags: ['public'] } });
  const chunkId = newId();
  await runSql(
    service.system.pool,
    `insert into grounded.chunks (id, project_id, document_id, position, content, context, start_offset, end_offset,
       token_count, terms, length) values ($1, $2, $3, 0, 'c', '', 0, 1, 1, '', 1)`,
    [chunkId, projectId, document.id],
  );
  const source = { id: newId(), projectId, kind: 'WEBSITE', name: 'n', config } as const;
  await db.source.create({ data: source });
  const run = { id: newId(), projectId, sourceId: source.id };
  await db.sourceRun.create({ data: run });
  const { setId, questionId, runId } = await insertQuestionSet(db, projectId, 'DONE');
  const conversation = { id: newId(), projectId, title: 't' };
  await db.conversation.create({ data: conversation });
  const conversationId = conversation.id;
  const message = { id: newId(), projectId, conversationId, position: 1, role: 'USER' } as const;
  await db.message.create({ data: message });
  const handoff = { id: newId(), projectId, conversationId };
  await db.handoff.create({ data: handoff });
  const savedReply = { id: newId(), projectId, name: 'n', content: 'c' };
  await db.savedReply.create({ data: savedReply });
  const label = { id: newId(), projectId, name: 'n' };
  await db.label.create({ data: label });
  const note = { id: newId(), projectId, conversationId, author: 'a', content: 'c' };
  await db.conversationNote.create({ data: note });
  const change = { id: newId(), projectId, conversationId, type: 'CLAIMED', actor: 'a' } as const;
  await db.conversationEvent.create({ data: change });
  const url = 'https://example.com/';
  const endpoint = { id: newId(), projectId, url, types: [], secret: 'whsec_x' };
  await db.webhookEndpoint.create({ data: endpoint });
  await db.webhookEvent.create({ data: event });
  const delivery = { id: newId(), projectId, eventId: event.id, endpointId: endpoint.id };
  await db.webhookDelivery.create({ data: delivery });
  const member = {
    id: newId(),
    organizationId,
    email: `${newId()}@example.com`,
    role: 'AGENT',
  } as const;
  await db.member.create({ data: member });
  const scopes: ApiKeyScope[] = ['CHAT'];
  const input = { organizationId, projectId, name: 'k', scopes };
  const { apiKey } = await createApiKey(service.system, input);
  const entry = await db.auditEntry.findFirstOrThrow({ where: { organizationId } });
  return {
    ...{ Organization: organizationId, Project: projectId, Membership: member.id },
    ...{ ApiKey: apiKey.id, AuditEntry: entry.id, Document: document.id, Chunk: chunkId },
    ...{ Source: source.id, SourceRun: run.id, Conversation: conversationId },
    ...{
      Message: message.id,
      Handoff: handoff.id,
      SavedReply: savedReply.id,
      Label: label.id,
      ConversationNote: note.id,
      ConversationEvent: change.id,
    },
    ...{ QuestionSet: setId, SetQuestion: questionId, EvaluationRun: runId },
    ...{ WebhookEndpoint: endpoint.id, WebhookDelivery: delivery.id },
  };
}
