import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { addConversationNote } from '../../src/domain/handoff/conversation-notes.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { createWebhookEndpoint } from '../../src/domain/webhooks/create-webhook-endpoint.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import type { RestClient } from '../support/api/rest-client.ts';
import { subscribe } from '../support/api/subscription.ts';
import {
  eventReader,
  makeWidget,
  type VisitorClient,
  visitorClient,
} from '../support/api/visitor-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { dumpAllRows } from '../support/database/dump-database.ts';
import { addDocuments } from '../support/knowledge.ts';
import { draftOf } from '../support/pages/reply-drafts.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

const secret = 'Zanzibar-4711';

let models: OpenAiServer;
let database: TestDatabase;
let service: TestService;
let tenant: Tenant;
let rest: RestClient;
let page: VisitorClient;
let conversationId: string;
let handoffId: string;
let endUserId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  database = await createTestDatabase();
  service = await startTestService({ database, openAi: models.chatModelConfig });
  tenant = await service.createTenant();
  const { projectId } = tenant;
  await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
  const url = 'https://example.com/hook';
  await createWebhookEndpoint(service.system, { projectId, url });
  // Scopes of a typical program of a website that shows transcripts to its users.
  const scopes = ['CHAT', 'CONVERSATIONS_READ', 'ANALYTICS_READ', 'KNOWLEDGE_READ'] as const;
  rest = await tenant.rest({ scopes });
  page = visitorClient(service, await makeWidget(service, projectId));
  await page.visit();
  models.script({ deltas: ['Until 11:00 [1].'] });
  const events = await page.ask('Until when is check-out?');
  conversationId = events.find(({ type }) => type === 'meta')?.conversationId;
  ({ id: handoffId } = await requestHandoff(service.system, { projectId, conversationId }));
  const found = await service.system.db.conversation.findUniqueOrThrow({
    where: { id: conversationId },
  });
  endUserId = found.endUserId ?? '';
  await note();
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await models?.close();
});

const note = () =>
  addConversationNote(service.system, {
    projectId: tenant.projectId,
    conversationId,
    content: `${secret}: asked twice. Until when is check-out?`,
  });

describe('a note is not in', () => {
  test('any other table than that of notes', async () => {
    const rows = (await dumpAllRows(database.url)).split('\n');
    const found = rows.filter((row) => row.includes(secret));
    expect(found).toEqual([expect.stringContaining(conversationId)]);
    const { count } = await service.system.db.conversationNote.deleteMany();
    expect(count).toBe(1);
    expect(await dumpAllRows(database.url)).not.toContain(secret);
    await note();
  });

  test("a program's transcript, lists and search by REST", async () => {
    for (const path of [
      `/conversations/${conversationId}`,
      '/conversations',
      '/handoffs',
      '/insights/unanswered',
    ]) {
      const response = await rest.get(path);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain(secret);
    }
    const found = await (await rest.get(`/conversations?search=${secret}`)).json();
    expect(found.data).toEqual([]);
    expect((await rest.get(`/conversations/${conversationId}/notes`)).status).toBe(403);
  });

  test("the visitor's transcript and updates, and no update is sent for it", async () => {
    const transcript = await (await page.post('conversation', { conversationId })).text();
    expect(transcript).toContain('Until 11:00');
    expect(transcript).not.toContain(secret);
    const updates = eventReader(await page.post('updates', { conversationId }));
    await updates.readUntil('Until 11:00');
    await note();
    await claimHandoff(service.system, { handoffId });
    const [first, ...others] = await updates.readUntil('"HUMAN"');
    expect(first).toMatchObject({ status: 'HUMAN', messages: [] });
    expect(others).toEqual([]);
    await updates.close();
  });

  test('GraphQL without the permission to work on handoffs', async () => {
    const viewer = await tenant.member('VIEWER');
    const { id } = await service.system.db.conversationNote.findFirstOrThrow({
      where: { conversationId },
    });
    const fields = `id title messages(last: 50) { edges { node { content } } } lastMessage { text }`;
    for (const query of [
      `{ conversationNotes(conversationId: "${conversationId}") { content } }`,
      `{ node(id: "${id}") { id ... on ConversationNote { content } } }`,
      `{ conversation(id: "${conversationId}") { ${fields} handoff { id } } }`,
      `{ conversations(projectId: "${tenant.projectId}", search: "${secret}") { edges { node { id } } } }`,
    ]) {
      expect(JSON.stringify(await viewer.send(query))).not.toContain(secret);
    }
    const token = await page.visit();
    const visitor = graphqlClient(service.url, token.token);
    const query = `{ conversationNotes(conversationId: "${conversationId}") { content } }`;
    expect(JSON.stringify(await visitor.send(query))).not.toContain(secret);
  });

  test('the events of the inbox, which only say that something changed', async () => {
    const token = await tenant.key({ scopes: ['CONVERSATIONS_READ'] });
    const events = await subscribe<{ handoffInbox: { type: string } }>(
      `${service.url}/graphql/stream`,
      token,
      `subscription ($projectId: ID!) {
        handoffInbox(projectId: $projectId) { type handoff { id reason } message { content } }
      }`,
      { projectId: tenant.projectId },
    );
    await note();
    expect(await events.take(1)).toEqual([
      {
        handoffInbox: {
          type: 'UPDATED',
          handoff: { id: handoffId, reason: null },
          message: null,
        },
      },
    ]);
    events.disconnect();
  });

  test('prompts of models: answers and drafts', async () => {
    const first = models.requests.length;
    models.script({ deltas: ['Until 11:00 [1].'] });
    await service.system.db.message.create({
      data: {
        ...{ id: crypto.randomUUID(), projectId: tenant.projectId, conversationId },
        ...{ position: 90, role: 'USER', content: 'Until when is check-out on Sundays?' },
      },
    });
    await service.system.db.conversation.update({
      where: { id: conversationId },
      data: { messageCount: 90 },
    });
    const agent = await tenant.member('AGENT');
    await agent.data(
      'mutation ($id: ID!) { takeOverConversation(input: { conversationId: $id }) { id } }',
      { id: conversationId },
    );
    models.script({ deltas: ['check-out on Sundays'] }, { deltas: ['Until 11:00 [1].'] });
    expect(await draftOf(agent, handoffId)).not.toBeNull();
    await agent.data(
      'mutation ($id: ID!) { returnToAssistant(input: { handoffId: $id }) { id } }',
      {
        id: handoffId,
      },
    );
    models.script({ deltas: ['check-out today'] }, { deltas: ['Until 11:00 [1].'] });
    const streamed = await rest.post('/chat', {
      conversationId,
      message: 'And until when is check-out today?',
      stream: true,
    });
    expect(await streamed.text()).not.toContain(secret);
    const prompts = models.requests.slice(first).map(({ body }) => JSON.stringify(body));
    expect(prompts.length).toBeGreaterThan(1);
    expect(prompts.join()).toContain('Until when is check-out');
    expect(prompts.join()).not.toContain(secret);
  });

  test('webhooks', async () => {
    const events = await service.system.db.webhookEvent.findMany({
      where: { projectId: tenant.projectId },
    });
    expect(events.map(({ type }) => type)).toContain('handoff.claimed');
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('the export of the end user, nor that there was one', async () => {
    const exported = await exportEndUser(service.system, {
      projectId: tenant.projectId,
      endUserId,
    });
    expect(JSON.stringify(exported)).toContain('Until 11:00');
    expect(JSON.stringify(exported)).not.toContain(secret);
    const types = exported.conversations[0]?.handoffs[0]?.inbox.map(({ type }) => type);
    expect(types).toContain('REQUESTED');
    expect(types).not.toContain('MESSAGE');
  });
});

test('agents read notes, and an erasure of the end user deletes and counts them', async () => {
  const agent = await tenant.member('AGENT');
  const query = `{ conversationNotes(conversationId: "${conversationId}") { author content } }`;
  const { conversationNotes } = await agent.data<{ conversationNotes: { content: string }[] }>(
    query,
  );
  expect(conversationNotes.length).toBeGreaterThan(1);
  expect(conversationNotes[0]?.content).toContain(secret);
  const erased = await eraseEndUser(service.system, { projectId: tenant.projectId, endUserId });
  expect(erased).toMatchObject({ conversations: 1, notes: conversationNotes.length });
  expect(await dumpAllRows(database.url)).not.toContain(secret);
});
