import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../../src/domain/handoff/return-to-assistant.ts';
import { listUnansweredQuestions } from '../../src/domain/insights/unanswered-questions.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  claimedConversation,
  type Draft,
  draftOf,
  draftQuery,
  storedState,
} from '../support/pages/reply-drafts.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const documents = {
  'Tents.md':
    '# Warranty\n\nThe warranty of a tent is five years. The warranty of a kayak is two years.',
  'Opening.md': '# Opening hours\n\nThe shop in Bergen opens at nine and closes at six.',
};

let service: TestService;
let tenant: Tenant;
let projectId: string;
let agent: GraphqlClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  await addDocuments(service, projectId, documents);
}, 60_000);

beforeEach(async () => {
  agent = await tenant.member('AGENT');
});

const ask = (message: string, conversationId?: string) =>
  sendMessage(service.system, { projectId, message, conversationId });

async function codeOf(client: GraphqlClient, handoffId: string): Promise<string | undefined> {
  const { data, errors } = await client.send(draftQuery, { handoffId });
  expect(data?.draftReply ?? null).toBeNull();
  return errors?.[0]?.extensions.code;
}

test("a draft is the assistant's answer to the latest message, and nothing but its tokens is stored", async () => {
  const question = 'How long is the warranty of a tent?';
  const answer = await ask(question);
  const { conversationId, handoffId } = await claimedConversation(service, projectId);
  await ask(question, conversationId);
  const before = await storedState(service, tenant);
  const draft = await draftOf(agent, handoffId);
  const asked = await service.system.db.message.findFirstOrThrow({
    where: { conversationId, role: 'USER' },
  });
  expect(draft).toEqual({
    messageId: asked.id,
    content: answer.content,
    text: answer.content.replaceAll(' [1]', ''),
    confidence: answer.confidence,
    citations: [
      expect.objectContaining({ documentName: 'Tents.md', quote: answer.citations[0]?.quote }),
    ],
  });
  expect(draft?.content).toContain('[1]');
  expect(draft?.text).toContain('five years');
  const after = await storedState(service, tenant);
  expect(after.rows).toEqual(before.rows);
  // In this tenant, only the draft and the answer of the assistant have used tokens.
  const { inputTokens, outputTokens, embeddingTokens } = before.usage;
  expect(after.usage).toEqual({
    messages: before.usage.messages,
    inputTokens: 2 * inputTokens,
    outputTokens: 2 * outputTokens,
    embeddingTokens: expect.any(Number),
  });
  expect(after.usage.embeddingTokens).toBeGreaterThan(embeddingTokens);
});

test('a follow-up is understood from the conversation', async () => {
  const { conversationId } = await ask('How long is the warranty of a tent?');
  const { handoffId } = await claimedConversation(service, projectId, conversationId);
  await ask('And of a kayak?', conversationId);
  expect((await draftOf(agent, handoffId))?.text).toContain('two years');
});

test('documents without an answer give no draft, and no unanswered question', async () => {
  const { projectId } = await service.createTenant();
  const { conversationId, handoffId } = await claimedConversation(service, projectId);
  const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  await sendMessage(service.system, { projectId, conversationId, message: 'Do you sell skis?' });
  expect(await draftOf(root, handoffId)).toMatchObject({
    content: null,
    text: null,
    citations: [],
    confidence: 0,
  });
  expect(await listUnansweredQuestions(service.system, { projectId })).toEqual([]);
});

test('a draft answers the latest question since the last reply, and small talk is no question', async () => {
  const { conversationId, handoffId } = await claimedConversation(service, projectId);
  const draft = async (): Promise<Draft | null> => draftOf(agent, handoffId);
  expect(await draft()).toBeNull();
  await ask('I want to talk to a person', conversationId);
  expect(await draft()).toBeNull();
  await ask('How long is the warranty of a tent?', conversationId);
  await ask('When does the shop in Bergen open?', conversationId);
  await ask('Hello??', conversationId);
  expect((await draft())?.text).toContain('opens at nine');
  await replyToConversation(service.system, { conversationId, content: 'At nine.' });
  expect(await draft()).toBeNull();
  await ask('Thanks!', conversationId);
  expect(await draft()).toBeNull();
  await replyToConversation(service.system, { conversationId, content: 'How many tents?' });
  for (const answer of ['three', '2 tents', 'tents.']) {
    await ask(answer, conversationId);
    expect(await draft()).toBeNull();
  }
  await ask('I need the warranty of a kayak', conversationId);
  expect((await draft())?.text).toContain('two years');
  expect(await service.system.db.handoff.count({ where: { conversationId } })).toBe(1);
});

test('agents receive drafts only of a claimed handoff', async () => {
  const claimed = await claimedConversation(service, projectId);
  const { handoffId } = await claimedConversation(service, projectId, undefined, {
    isClaimed: false,
  });
  expect(await codeOf(agent, handoffId)).toBe('CONFLICT');
  await returnToAssistant(service.system, { handoffId });
  expect(await codeOf(agent, handoffId)).toBe('CONFLICT');
  await resolveHandoff(service.system, { handoffId: claimed.handoffId });
  expect(await codeOf(agent, claimed.handoffId)).toBe('CONFLICT');
});

test('an operator receives 20 drafts a minute, and colleagues have their own limit', async () => {
  const { handoffId } = await claimedConversation(service, projectId);
  for (let n = 0; n < 20; n += 1) expect(await draftOf(agent, handoffId)).toBeNull();
  const { errors } = await agent.send(draftQuery, { handoffId });
  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/^An operator may make 20 drafts a minute\. Retry in \d+ s$/),
      extensions: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
    },
  ]);
  expect(await draftOf(await tenant.member('AGENT'), handoffId)).toBeNull();
});

test('a draft stands alone: it does not refer to an answer of the assistant before', async () => {
  await ask('How long is the warranty of a tent?');
  const first = await ask('What is the warranty period for tents?');
  const { conversationId } = first;
  const again = await ask('And how long is the tent warranty?', conversationId);
  expect(again.content).toMatch(/^The same passage applies:/);
  const { handoffId } = await claimedConversation(service, projectId, conversationId);
  await ask('So how long is the tent warranty?', conversationId);
  const draft = await draftOf(agent, handoffId);
  expect(draft?.text).toMatch(/^The warranty of a tent is five years/);
  expect(draft?.content).toMatch(/^The warranty of a tent is five years/);
});
