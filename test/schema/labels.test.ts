import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { inputMutation } from '../support/api/input-mutation.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

interface Label {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

let service: TestService;
let tenant: Tenant;
let projectId: string;
let admin: GraphqlClient;
let agent: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  admin = await tenant.member('ADMIN');
  agent = await tenant.member('AGENT');
});

const fields = 'id name color';

async function create(name: string, color?: string): Promise<Label> {
  const input = { projectId, name, color };
  const document = inputMutation('createLabel', fields);
  return (await admin.data<{ createLabel: Label }>(document, { input })).createLabel;
}

async function addConversation(of = projectId): Promise<string> {
  const conversation = { id: newId(), projectId: of, title: 't' };
  await service.system.db.conversation.create({ data: conversation });
  return conversation.id;
}

async function refusalOf(client: GraphqlClient, mutation: string, input: object) {
  const { errors } = await client.send(inputMutation(mutation, 'id'), { input });
  const { code, messages } = errors?.[0]?.extensions ?? {};
  return { code, messages };
}

async function list(client: GraphqlClient): Promise<Label[]> {
  const query = `query ($id: ID!) { labels(projectId: $id) { ${fields} } }`;
  return (await client.data<{ labels: Label[] }>(query, { id: projectId })).labels;
}

async function change(mutation: string, input: object): Promise<string[]> {
  const data = await agent.data<Record<string, Label[]>>(inputMutation(mutation, 'name'), {
    input,
  });
  return (data[mutation] ?? []).map(({ name }) => name);
}

const auditedActions = async () =>
  (
    await service.system.db.auditEntry.findMany({
      where: { organizationId: tenant.organizationId, targetType: 'LABEL' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
  ).map(({ action }) => action);

test('labels are added, changed, deleted and listed by name', async () => {
  const urgent = await create(' Urgent ', 'RED');
  const billing = await create('billing');
  expect(urgent).toEqual({ id: urgent.id, name: 'Urgent', color: 'RED' });
  expect(billing.color).toBe('GRAY');
  expect(await list(agent)).toEqual([billing, urgent]);
  expect((await refusalOf(admin, 'createLabel', { projectId, name: 'URGENT' })).code).toBe(
    'CONFLICT',
  );
  const rename = { labelId: billing.id, name: 'urgent' };
  expect((await refusalOf(admin, 'updateLabel', rename)).code).toBe('CONFLICT');
  const input = { labelId: billing.id, name: 'Invoice', color: 'BLUE' };
  await admin.data(inputMutation('updateLabel', 'id'), { input });
  expect(await list(agent)).toEqual([{ id: billing.id, name: 'Invoice', color: 'BLUE' }, urgent]);
  const conversationId = await addConversation();
  await change('addConversationLabel', { conversationId, labelId: urgent.id });
  const target = { labelId: urgent.id, projectId };
  await admin.data(inputMutation('deleteLabel', 'id'), { input: target });
  expect((await refusalOf(admin, 'deleteLabel', target)).code).toBe('NOT_FOUND');
  expect(await service.system.db.conversationLabel.count({ where: { projectId } })).toBe(0);
});

test('agents add and remove labels once, which the audit log records', async () => {
  const [urgent, billing] = [await create('Urgent'), await create('Billing')];
  const conversationId = await addConversation();
  const input = { conversationId, labelId: urgent.id };
  expect(await change('addConversationLabel', input)).toEqual(['Urgent']);
  const both = await Promise.all(
    [1, 2].map(() => change('addConversationLabel', { conversationId, labelId: billing.id })),
  );
  expect(both).toEqual([
    ['Billing', 'Urgent'],
    ['Billing', 'Urgent'],
  ]);
  expect(await change('removeConversationLabel', input)).toEqual(['Billing']);
  expect(await change('removeConversationLabel', input)).toEqual(['Billing']);
  expect(await auditedActions()).toEqual([
    'LABEL_CREATED',
    'LABEL_CREATED',
    'CONVERSATION_LABEL_ADDED',
    'CONVERSATION_LABEL_ADDED',
    'CONVERSATION_LABEL_REMOVED',
  ]);
});

test('filters conversations and handoffs', async () => {
  const { id: labelId } = await create('Urgent');
  const [conversationId, other] = [await addConversation(), await addConversation()];
  await service.system.db.handoff.createMany({
    data: [conversationId, other].map((id) => ({ id: newId(), projectId, conversationId: id })),
  });
  await change('addConversationLabel', { conversationId, labelId });
  const query = `query ($id: ID!, $labelId: ID) {
    conversations(projectId: $id, labelId: $labelId, first: 5) { edges { node { id labels { name } } } }
    conversationPage(projectId: $id, labelId: $labelId, page: 1, limit: 5) { total }
    handoffs(projectId: $id, labelId: $labelId, first: 5) { edges { node { conversationId conversation { labels { name } } } } }
    handoffPage(projectId: $id, labelId: $labelId, page: 1, limit: 5) { total }
  }`;
  const labels = [{ name: 'Urgent' }];
  expect(await agent.data(query, { id: projectId, labelId })).toEqual({
    conversations: { edges: [{ node: { id: conversationId, labels } }] },
    conversationPage: { total: 1 },
    handoffs: { edges: [{ node: { conversationId, conversation: { labels } } }] },
    handoffPage: { total: 1 },
  });
  expect(await agent.data(query, { id: projectId, labelId: null })).toMatchObject({
    conversationPage: { total: 2 },
    handoffPage: { total: 2 },
  });
  for (const unknown of [newId(), 'x']) {
    expect(await agent.data(query, { id: projectId, labelId: unknown })).toMatchObject({
      conversationPage: { total: 0 },
      handoffPage: { total: 0 },
    });
  }
});

test('a project has at most 100, a conversation at most 20, also when two are added at once', async () => {
  const rows = Array.from({ length: 99 }, (_, n) => ({ id: newId(), projectId, name: `n${n}` }));
  await service.system.db.label.createMany({ data: rows });
  const created = await Promise.all(
    ['a', 'b'].map((name) => refusalOf(admin, 'createLabel', { projectId, name })),
  );
  expect(created.map(({ code }) => code).sort()).toEqual(['CONFLICT', undefined]);
  expect(await list(agent)).toHaveLength(100);
  const conversationId = await addConversation();
  const labelIds = rows.map(({ id }) => id);
  await service.system.db.conversationLabel.createMany({
    data: labelIds.slice(0, 19).map((labelId) => ({ projectId, conversationId, labelId })),
  });
  const added = await Promise.all(
    labelIds
      .slice(19, 21)
      .map((labelId) => refusalOf(agent, 'addConversationLabel', { conversationId, labelId })),
  );
  expect(added.map(({ code }) => code).sort()).toEqual(['CONFLICT', undefined]);
  expect(await service.system.db.conversationLabel.count({ where: { conversationId } })).toBe(20);
  const long = { projectId, name: 'n'.repeat(41) };
  expect(await refusalOf(admin, 'createLabel', long)).toEqual({
    code: 'VALIDATION_FAILED',
    messages: ['name must be at most 40 characters'],
  });
  for (const name of [' ', 'a\nb', 'a\u202eb']) {
    expect((await refusalOf(admin, 'createLabel', { projectId, name })).code).toBe(
      'VALIDATION_FAILED',
    );
  }
});

test('a conversation takes no label of another project', async () => {
  const { id: labelId } = await create('Urgent');
  const project = { id: newId(), organizationId: tenant.organizationId, name: 'Other' };
  await service.system.db.project.create({ data: project });
  const foreign = { conversationId: await addConversation(project.id), labelId };
  expect((await refusalOf(agent, 'addConversationLabel', foreign)).code).toBe('NOT_FOUND');
});

test('transcripts of the REST API and exports of end users contain no label', async () => {
  const rest = await tenant.rest();
  const { id: labelId } = await create('Difficult customer');
  const conversation = { id: newId(), projectId, title: 't', endUserId: 'guest-1' };
  await service.system.db.conversation.create({ data: conversation });
  await change('addConversationLabel', { conversationId: conversation.id, labelId });
  const response = await rest.get(`/conversations/${conversation.id}`);
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain('Difficult');
  const input = { projectId, endUserId: 'guest-1' };
  const document = `mutation ($input: ExportEndUserInput!) { exportEndUser(input: $input) }`;
  const exported = JSON.stringify(await admin.data(document, { input }));
  expect(exported).toContain(conversation.id);
  expect(exported).not.toContain('Difficult');
  await admin.data(
    'mutation ($input: EraseEndUserInput!) { eraseEndUser(input: $input) { messages } }',
    {
      input,
    },
  );
  expect(await service.system.db.conversationLabel.count({ where: { projectId } })).toBe(0);
});
