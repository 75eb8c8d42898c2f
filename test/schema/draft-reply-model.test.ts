import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  claimedConversation,
  draftOf,
  draftQuery,
  storedState,
} from '../support/pages/reply-drafts.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let agent: GraphqlClient;
let handoffId: string;
let conversationId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, { 'Stay.md': 'Check-out is until 11:00.' });
}, 60_000);
afterAll(() => service?.stop());
beforeEach(async () => {
  const { projectId } = tenant;
  agent = await tenant.member('AGENT');
  ({ handoffId, conversationId } = await claimedConversation(service, projectId));
  await ask('Until when is check-out?');
});

const ask = (message: string) =>
  sendMessage(service.system, { projectId: tenant.projectId, conversationId, message });

test("a chat model's draft is counted in tokens, not in messages, and its markers are not in the text", async () => {
  models.script({ deltas: ['Until 11:00 [1]. See `rooms[0]` for ', 'free ones [1].'] });
  const before = await storedState(service, tenant);
  expect(await draftOf(agent, handoffId)).toMatchObject({
    content: 'Until 11:00 [1]. See `rooms[0]` for free ones [1].',
    text: 'Until 11:00. See `rooms[0]` for free ones.',
    citations: [{ documentName: 'Stay.md' }],
  });
  const after = await storedState(service, tenant);
  expect(after.rows).toEqual(before.rows);
  expect(after.usage.messages).toBe(before.usage.messages);
  expect(after.usage.inputTokens).toBeGreaterThan(before.usage.inputTokens);
  expect(after.usage.outputTokens).toBeGreaterThan(before.usage.outputTokens);
});

test('a refusal and an answer without a source are no draft', async () => {
  models.script(
    { deltas: ['NO_ANSWER_IN_SOURCES\nI do not know.'] },
    { deltas: ['Penguins are birds.'] },
  );
  const nothing = { content: null, text: null, citations: [] };
  expect(await draftOf(agent, handoffId)).toMatchObject(nothing);
  expect(await draftOf(agent, handoffId)).toMatchObject(nothing);
});

test("below the project's threshold the model is not asked", async () => {
  const { projectId: id } = tenant;
  const set = (confidenceThreshold: number | null) =>
    service.system.db.project.update({ where: { id }, data: { confidenceThreshold } });
  await set(1);
  const asked = models.requests.length;
  expect(await draftOf(agent, handoffId)).toMatchObject({ content: null, citations: [] });
  expect(models.requests.length).toBe(asked);
  await set(null);
});

test('a follow-up is rewritten from the history, with unanswered messages and replies of agents', async () => {
  await ask('And what does it cost to stay longer?');
  models.script({ deltas: ['price of late check-out'] }, { deltas: ['Nothing [1].'] });
  const first = models.requests.length;
  expect(await draftOf(agent, handoffId)).toMatchObject({ text: 'Nothing.' });
  const [rewrite, answer] = models.requests.slice(first).map(({ body }) => JSON.stringify(body));
  expect(rewrite).toContain('Until when is check-out?');
  expect(answer).toContain('And what does it cost to stay longer?');
});

test('of two drafts at once the newer one is answered, and the call for the other one is cancelled', async () => {
  models.script({ end: 'stall' }, { deltas: ['Until 11:00 [1].'] });
  const first = models.requests.length;
  const older = agent.send(draftQuery, { handoffId });
  const call = await models.request(first);
  const newer = agent.send(draftQuery, { handoffId });
  expect((await older).errors).toMatchObject([
    { message: 'A newer request has replaced this one', extensions: { code: 'CONFLICT' } },
  ]);
  expect((await newer).data?.draftReply).toMatchObject({ text: 'Until 11:00.' });
  await call.closed;
});

test('drafts of two agents do not disturb each other', async () => {
  const colleague = await tenant.member('AGENT');
  const release = Promise.withResolvers<void>();
  models.script(
    { after: release.promise, deltas: ['Until 11:00 [1].'] },
    { deltas: ['11:00 [1].'] },
  );
  const first = models.requests.length;
  const older = draftOf(agent, handoffId);
  await models.request(first);
  expect(await draftOf(colleague, handoffId)).toMatchObject({ text: '11:00.' });
  release.resolve();
  expect(await older).toMatchObject({ text: 'Until 11:00.' });
});

test('a draft whose agent disconnects stops the model, and stores nothing', async () => {
  const before = await storedState(service, tenant);
  models.script({ deltas: ['Until '], end: 'stall' });
  const first = models.requests.length;
  const leaving = new AbortController();
  const token = await service.token({ role: 'service_role' });
  const draft = fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: draftQuery, variables: { handoffId } }),
    signal: leaving.signal,
  });
  const call = await models.request(first);
  leaving.abort();
  await expect(draft).rejects.toThrow();
  await call.closed;
  const usage = async () => (await storedState(service, tenant)).usage.inputTokens;
  await expect.poll(usage).toBeGreaterThan(before.usage.inputTokens);
  expect((await storedState(service, tenant)).rows).toEqual(before.rows);
});
