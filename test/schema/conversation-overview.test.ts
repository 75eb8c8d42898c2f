import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { inputMutation } from '../support/api/input-mutation.ts';
import { restClient } from '../support/api/rest-client.ts';
import { makeWidget, visitorClient } from '../support/api/visitor-client.ts';
import { addConversation } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

interface Listed {
  readonly id: string;
  readonly channel: string | null;
  readonly lowestConfidence: number | null;
  readonly answersRatedUp: number;
  readonly answersRatedDown: number;
}

const listQuery = `query (
  $projectId: ID!, $confidenceBelow: Float, $channel: ConversationChannel, $hasHandoff: Boolean
) {
  conversations(
    projectId: $projectId, confidenceBelow: $confidenceBelow, channel: $channel, hasHandoff: $hasHandoff
  ) {
    edges { node { id channel lowestConfidence answersRatedUp answersRatedDown } }
  }
}`;

let service: TestService;
let tenant: Tenant;
let projectId: string;
let viewer: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  viewer = await tenant.member('VIEWER');
});

async function list(filter: object = {}): Promise<Listed[]> {
  const { conversations } = await viewer.data<{
    conversations: { edges: { node: Listed }[] };
  }>(listQuery, { projectId, ...filter });
  return conversations.edges.map(({ node }) => node);
}

const idsOf = async (filter: object) => (await list(filter)).map(({ id }) => id);

/** Sets fields of the answers of a conversation. The objects are in the order of the answers. */
async function setAnswers(conversationId: string, answers: readonly object[]): Promise<string[]> {
  const { db } = service.system;
  const stored = await db.message.findMany({
    where: { projectId, conversationId, role: 'ASSISTANT' },
    orderBy: { position: 'asc' },
  });
  const ids = stored.map(({ id }) => id);
  for (const [index, data] of answers.entries()) {
    await db.message.update({ where: { id: ids[index], projectId }, data });
  }
  return ids;
}

test('conversations have the lowest confidence of their answers, and how often these were rated', async () => {
  const messages = ['Hi', 'a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const conversationId = await addConversation(service, projectId, { messages });
  const empty = await addConversation(service, projectId, { messages: ['Hello'] });
  const [first, second, third] = await setAnswers(conversationId, [
    { confidence: 0.9 },
    { confidence: 0.4 },
    { confidence: 0.1, status: 'FAILED' },
    { confidence: 0, intent: 'GREETING' },
  ]);
  const rate = (messageId: string | undefined, rating: 'UP' | 'DOWN') =>
    service.system.db.messageFeedback.create({
      data: { messageId: String(messageId), projectId, rating },
    });
  await rate(first, 'UP');
  await rate(second, 'DOWN');
  await rate(third, 'DOWN');
  const rows = new Map((await list()).map((row) => [row.id, row]));
  expect(rows.get(conversationId)).toMatchObject({
    lowestConfidence: 0.4,
    answersRatedUp: 1,
    answersRatedDown: 2,
  });
  expect(rows.get(empty)).toMatchObject({
    channel: null,
    lowestConfidence: null,
    answersRatedUp: 0,
    answersRatedDown: 0,
  });
  expect(await idsOf({ confidenceBelow: 0.41 })).toEqual([conversationId]);
  expect(await idsOf({ confidenceBelow: 0.4 })).toEqual([]);
});

test('conversations are filtered by their channel and handoffs', async () => {
  const plain = await addConversation(service, projectId, { messages: ['a'], channel: 'MCP' });
  const handedOff = await addConversation(service, projectId, { messages: ['b'] });
  await service.system.db.handoff.create({
    data: { id: newId(), projectId, conversationId: handedOff, status: 'RESOLVED' },
  });
  expect(await idsOf({ channel: 'MCP' })).toEqual([plain]);
  expect(await idsOf({ channel: 'WIDGET' })).toEqual([]);
  expect(await idsOf({ hasHandoff: true })).toEqual([handedOff]);
  expect(await idsOf({ hasHandoff: false })).toEqual([plain]);
});

test('refuses a confidence outside 0 to 1', async () => {
  for (const confidenceBelow of [-0.1, 1.1]) {
    const { errors } = await viewer.send(listQuery, { projectId, confidenceBelow });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['confidenceBelow must be a number between 0 and 1'],
    });
  }
});

test('a conversation keeps the interface through which it was started', async () => {
  const key = await tenant.key();
  const message = 'Is there a lighthouse?';
  const rest = restClient(`${service.url}/api/v1`, key);
  await rest.post('/chat', { message });
  await fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: projectId, messages: [{ role: 'user', content: message }] }),
  });
  await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'ask', arguments: { message } },
    }),
  }).then((response) => response.text());
  const send = inputMutation('sendMessage', 'conversationId');
  const input = { projectId, message };
  await graphqlClient(service.url, key).data(send, { input });
  const agent = await tenant.member('AGENT');
  const { sendMessage } = await agent.data<{ sendMessage: { conversationId: string } }>(send, {
    input,
  });
  const visitor = visitorClient(service, await makeWidget(service, projectId));
  await visitor.visit();
  await visitor.ask(message);
  const channels = (await list()).map(({ channel }) => channel).sort();
  expect(channels).toEqual(['GRAPHQL', 'MCP', 'OPENAI', 'PLAYGROUND', 'REST', 'WIDGET']);

  const { conversationId } = sendMessage;
  await rest.post('/chat', { message, conversationId });
  expect((await list()).find(({ id }) => id === conversationId)?.channel).toBe('PLAYGROUND');
});
