import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer, Reply } from '../support/servers/openai-server.ts';
import type { TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());

test.each<[reply: Reply, finishReason: string, content: string]>([
  [{ deltas: ['Until 11:00 [1].'] }, 'STOP', 'Until 11:00 [1].'],
  [{ deltas: ['Until 11:00 [1'], finishReason: 'length' }, 'LENGTH', 'Until 11:00 [1'],
  [{ deltas: ['NO_ANSWER_IN_SOURCES\nI do not know.'] }, 'REFUSAL', 'I do not know.'],
])('a message has the finish reason of its answer: %j', async (reply, finishReason, content) => {
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
  models.script(reply);
  const message = 'Until when is check-out?';
  const { conversationId } = await sendMessage(service.system, { projectId, message });
  const client = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  const { conversation } = await client.data<{
    conversation: {
      messages: { edges: { node: { content: string; finishReason: string | null } }[] };
    };
  }>(
    `query ($id: ID!) { conversation(id: $id) { messages(first: 10) { edges { node { content finishReason } } } } }`,
    { id: conversationId },
  );
  expect(conversation.messages.edges.map(({ node }) => node)).toEqual([
    { content: message, finishReason: null },
    { content, finishReason },
  ]);
});
