import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportConversations } from '../../src/domain/conversations/export-conversations.ts';
import { exportFormats } from '../../src/domain/conversations/export-format.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { joinDeltas, resumeAnswer, streamChat } from '../support/api/chat-stream.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { makeWidget, visitorClient } from '../support/api/visitor-client.ts';
import { findFlaws, hostileTexts, markedTexts } from '../support/evaluation/answer-flaws.ts';
import { addDocuments } from '../support/knowledge.ts';
import { claimedConversation, draftOf } from '../support/pages/reply-drafts.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';
import { waitUntil } from '../support/wait-until.ts';

// The model obeys an attacker and writes markup and addresses. No output of the service may contain them.

const message = 'Until when is check-out?';
const endUserId = 'guest-1';
/** Anyone who may add a document chooses its name. */
const documentName = 'Stay <img src=x onerror=go()>.md';

const written = ['Until 11:00 [1].', ...hostileTexts, ...markedTexts].join('\n\n');

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let key: string;
let client: RestClient;
let agent: GraphqlClient;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  key = await tenant.key();
  client = restClient(`${service.url}/api/v1`, key);
  agent = await tenant.member('AGENT');
  await addDocuments(service, tenant.projectId, { [documentName]: 'Check-out is until 11:00.' });
}, 60_000);
afterAll(() => service?.stop());

/** The model writes all hostile texts in parts of seven characters. */
function scriptHostileAnswer(): void {
  models.script({ deltas: written.match(/.{1,7}/gsu) ?? [] });
}

/** Asks the question by REST. Returns the ids and the content of the answer. */
async function ask(): Promise<{ conversationId: string; messageId: string; content: string }> {
  scriptHostileAnswer();
  const response = await client.post('/chat', { message, endUserId });
  expect(response.status).toBe(200);
  return response.json();
}

function expectHarmless(text: string): void {
  expect(text).toContain('11:00');
  expect(findFlaws(text, [])).toEqual([]);
}

test('a chat', async () => {
  expectHarmless((await ask()).content);
});

test('a stream, read at once and resumed', async () => {
  scriptHostileAnswer();
  const events = await (await streamChat(client, { message, resumable: true })).readToEnd();
  expectHarmless(joinDeltas(events));
  const resumed = await resumeAnswer(client, events[0]?.messageId ?? '');
  expectHarmless(joinDeltas(await resumed.readToEnd()));
});

test('a transcript and the preview in the list of conversations', async () => {
  const { conversationId } = await ask();
  const { messages } = await (await client.get(`/conversations/${conversationId}`)).json();
  expectHarmless(messages[1].content);
  const { conversation } = await graphqlClient(
    service.url,
    await service.token({ role: 'service_role' }),
  ).data<{ conversation: { lastMessage: { text: string } } }>(
    'query ($id: ID!) { conversation(id: $id) { lastMessage { text } } }',
    { id: conversationId },
  );
  expectHarmless(conversation.lastMessage.text);
});

test('the draft of a reply', async () => {
  const { handoffId, conversationId } = await claimedConversation(service, tenant.projectId);
  await client.post('/chat', { message, conversationId });
  scriptHostileAnswer();
  const draft = await draftOf(agent, handoffId);
  expectHarmless(draft?.content ?? '');
  expectHarmless(draft?.text ?? '');
});

test('a webhook', async () => {
  const { conversationId } = await ask();
  await client.post('/handoff', { conversationId });
  const where = { projectId: tenant.projectId, type: 'human.requested' };
  const { lastMessages } = await waitUntil(async () => {
    const events = await service.system.db.webhookEvent.findMany({ where });
    const payloads = events.map(({ data }) => data as unknown as HumanRequested);
    return payloads.find((payload) => payload.conversationId === conversationId);
  });
  expect(lastMessages.map(({ role }) => role)).toEqual(['USER', 'ASSISTANT']);
  expectHarmless(lastMessages[1]?.content ?? '');
});

interface HumanRequested {
  readonly conversationId: string;
  readonly lastMessages: readonly { readonly role: string; readonly content: string }[];
}

test('exports of conversations and of an end user', async () => {
  const { messageId } = await ask();
  const { projectId } = tenant;
  for await (const page of exportConversations(service.system, { projectId })) {
    const answer = page.find((exported) => exported.messageId === messageId);
    if (answer === undefined) continue;
    expectHarmless(answer.content);
    expect(exportFormats.ndjson.write(answer)).toContain(JSON.stringify(answer.content));
  }
  const { conversations } = await exportEndUser(service.system, { projectId, endUserId });
  const answers = conversations.flatMap(({ messages }) =>
    messages.filter(({ role }) => role === 'ASSISTANT'),
  );
  expect(answers.length).toBeGreaterThan(0);
  for (const { content } of answers) expectHarmless(content);
});

test("MCP's tools, with the names of documents", async () => {
  const mcp = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
  );
  const textOf = async (name: string, args: Record<string, unknown>) => {
    const { content } = await mcp.callTool({ name, arguments: args });
    return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
  };
  scriptHostileAnswer();
  expectHarmless(await textOf('ask', { message }));
  expectHarmless(await textOf('search', { query: message }));
  expect(findFlaws(await textOf('list_documents', {}), [])).toEqual([]);
  const [document] = await service.system.db.document.findMany({
    where: { projectId: tenant.projectId },
  });
  expectHarmless(await textOf('read_document', { documentId: document?.id }));
  await mcp.close();
});

test("OpenAI's interface", async () => {
  scriptHostileAnswer();
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'grounded', messages: [{ role: 'user', content: message }] }),
  });
  expectHarmless((await response.json()).choices[0].message.content);
});

test('the widget, while the answer is written and afterwards', async () => {
  const page = visitorClient(service, await makeWidget(service, tenant.projectId));
  await page.visit();
  scriptHostileAnswer();
  const events = await page.ask(message);
  expectHarmless(events.map(({ text }) => text ?? '').join(''));
  const conversationId = events[0]?.conversationId;
  const { messages } = await (await page.post('conversation', { conversationId })).json();
  expectHarmless(messages.at(-1).content);
});
