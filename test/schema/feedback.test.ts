import { beforeAll, expect, test } from 'vitest';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addConversation } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let holder: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  holder = await tenant.graphql({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });
});

/** Sends a question. Returns the question and its answer. */
async function exchange() {
  const { projectId } = tenant;
  const conversationId = await addConversation(service, projectId, { messages: ['Q', 'A'] });
  const [question, answer] = await service.system.db.message.findMany({
    where: { conversationId },
    orderBy: { position: 'asc' },
  });
  if (question === undefined || answer === undefined) throw new Error('no messages');
  return { conversationId, questionId: question.id, answerId: answer.id };
}

const give = (client: GraphqlClient, input: object) =>
  client.send(
    `mutation ($input: GiveFeedbackInput!) {
      giveFeedback(input: $input) { messageId rating comment }
    }`,
    { input },
  );

async function listFeedback(conversationId: string): Promise<unknown[]> {
  const { conversation } = await holder.data<{
    conversation: { messages: { edges: { node: { feedback: object | null } }[] } };
  }>(
    `query ($id: ID!) {
      conversation(id: $id) { messages { edges { node { feedback { rating comment } } } } }
    }`,
    { id: conversationId },
  );
  return conversation.messages.edges.map(({ node }) => node.feedback);
}

test('feedback is shown on its answer, and the latest feedback replaces earlier feedback', async () => {
  const { conversationId, answerId } = await exchange();
  const { data } = await give(holder, { messageId: answerId, rating: 'DOWN', comment: ' Wrong ' });
  expect(data).toEqual({
    giveFeedback: { messageId: answerId, rating: 'DOWN', comment: 'Wrong' },
  });
  expect(await listFeedback(conversationId)).toEqual([null, { rating: 'DOWN', comment: 'Wrong' }]);
  await give(holder, { messageId: answerId, rating: 'UP' });
  expect(await listFeedback(conversationId)).toEqual([null, { rating: 'UP', comment: null }]);
});

test('concurrent feedback on one answer is stored once', async () => {
  const { answerId } = await exchange();
  const given = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      give(holder, { messageId: answerId, rating: n % 2 === 0 ? 'UP' : 'DOWN' }),
    ),
  );
  expect(given.filter(({ errors }) => errors !== undefined)).toEqual([]);
  const { db } = service.system;
  expect(await db.messageFeedback.count({ where: { messageId: answerId } })).toBe(1);
});

test('a question cannot be rated', async () => {
  const { questionId } = await exchange();
  const { errors } = await give(holder, { messageId: questionId, rating: 'DOWN' });
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a comment has at most 2,000 characters', async () => {
  const { answerId: messageId } = await exchange();
  const comment = '🙂'.repeat(2000);
  expect((await give(holder, { messageId, rating: 'UP', comment })).errors).toBeUndefined();
  const { errors } = await give(holder, { messageId, rating: 'UP', comment: `${comment}.` });
  expect(errors?.[0]?.extensions.messages).toEqual(['comment must be at most 2000 characters']);
});

test('feedback is deleted with its message', async () => {
  const { conversationId, answerId } = await exchange();
  await give(holder, { messageId: answerId, rating: 'DOWN', comment: 'Gone' });
  const { db } = service.system;
  await db.conversation.delete({ where: { id: conversationId } });
  expect(await db.messageFeedback.count({ where: { messageId: answerId } })).toBe(0);
});
