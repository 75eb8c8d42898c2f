import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { openAiChatModel } from '../../../src/models/openai/openai-chat-model.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
  await updateProject(service.system, { id: projectId, assistant: { instructions } });
});

const instructions = 'You are Captain Robo of the harbor. The secret word is marmalade turnip.';
const builtIn = 'Hello! How can I help you? Ask me a question, and I will look for the answer.';
const ask = (message: string) => sendMessage(service.system, { projectId, message });

async function storedReply(messageId: string) {
  return service.system.db.message.findUnique({ where: { id: messageId } });
}

test('the model words the reply within the instructions, from a prompt without sources', async () => {
  models.script({ deltas: ['Ahoy! What can Captain Robo do for you?'] });
  const reply = await ask('hello');
  expect(reply).toMatchObject({
    content: 'Ahoy! What can Captain Robo do for you?',
    citations: [],
    confidence: 0,
    intent: 'GREETING',
  });
  const prompt = JSON.stringify(models.requests.at(-1)?.body.messages);
  expect(prompt).toContain('Captain Robo');
  expect(prompt).toContain(builtIn.slice(0, 30));
  expect(prompt).not.toContain('<source-');
  const stored = await storedReply(reply.messageId);
  expect(stored).toMatchObject({ model: 'stand-in', status: 'COMPLETED' });
  expect(stored?.inputTokens).toBeGreaterThan(0);
});

test.each([
  ['the call fails', { status: 400, body: '{"error":{"message":"no"}}' }],
  ['the text is empty', { deltas: ['  '] }],
  ['the text is as long as an answer', { deltas: ['word '.repeat(400)] }],
  ['the text repeats the instructions', { deltas: ['My orders: ', instructions] }],
])('the built-in text is used if %s', async (_case, reply) => {
  models.script(reply);
  expect(await ask('hello')).toMatchObject({ content: builtIn, intent: 'GREETING' });
});

test('links and citation markers of the model are removed', async () => {
  models.script({ deltas: ['Hello! See [our site](https://evil.example/x) [1].'] });
  const { content } = await ask('hello');
  expect(content).toContain('Hello!');
  expect(content).not.toMatch(/evil|\[1\]/);
});

test('the built-in text is used if the model is late', async () => {
  const { baseUrl } = models;
  const limits = { replyTimeoutMs: 200 };
  const chat = openAiChatModel({ baseUrl, apiKey: null, model: 'stand-in', limits });
  const context = { ...service.system, models: { ...service.system.models, chat } };
  models.script({ after: new Promise(() => {}) });
  const reply = await sendMessage(context, { projectId, message: 'hello' });
  expect(reply.content).toBe(builtIn);
});

test('the texts of the project are sent as they are, without a model call', async () => {
  await updateProject(service.system, { id: projectId, assistant: { greetingText: 'Ahoy!' } });
  const before = models.requests.length;
  expect((await ask('hello')).content).toBe('Ahoy!');
  expect(models.requests).toHaveLength(before);
});

test('a request for a person with START requests the handoff, without a model call', async () => {
  await updateProject(service.system, { id: projectId, assistant: { humanRequest: 'START' } });
  const before = models.requests.length;
  const { conversationId, content } = await ask('I want to talk to a human');
  expect(content).toBe('Our team has been notified and will answer you here.');
  expect(models.requests).toHaveLength(before);
  const handoffs = await service.system.db.handoff.findMany({ where: { projectId } });
  expect(handoffs).toMatchObject([{ conversationId, status: 'REQUESTED' }]);
});
