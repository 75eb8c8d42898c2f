import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { sharedDatabase } from '../../support/shared-service.ts';

// The model answers when the test says so, and only one answer may start at a time.

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    openAi: models.chatModelConfig,
    database: await sharedDatabase(),
    answerStarts: { maxStarting: 1, maxWaitMs: 50 },
  });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});

const ask = (message: string, conversationId?: string) =>
  sendMessage(service.system, { projectId, message, conversationId });

/** Sets a reply that the model sends only when the test calls the returned function. */
function scriptSlowReply(text: string): { readonly asked: Promise<unknown>; reply(): void } {
  const { promise: after, resolve: reply } = Promise.withResolvers<void>();
  models.script({ after, deltas: [text] });
  return { asked: models.request(models.requests.length), reply };
}

test('small talk that a slow model words does not delay other messages', async () => {
  const slow = scriptSlowReply('Ahoy there!');
  const greeting = ask('hello');
  await slow.asked;
  await updateProject(service.system, { id: projectId, assistant: { greetingText: 'Good day.' } });
  expect((await ask('hello')).content).toBe('Good day.');
  slow.reply();
  expect((await greeting).content).toBe('Ahoy there!');
  expect(service.adapters.answerStarts).toMatchObject({ starting: 0, waiting: 0 });
});

test('a follow-up that a slow model rewrites does not delay other messages', async () => {
  await addDocuments(service, projectId, { 'Sauna.txt': 'The sauna opens at noon.' });
  await updateProject(service.system, { id: projectId, assistant: { greetingText: 'Good day.' } });
  const { conversationId } = await ask('When does the sauna open?');
  const slow = scriptSlowReply('When does the sauna close?');
  const followUp = ask('And when does it close?', conversationId);
  await slow.asked;
  expect((await ask('hello')).content).toBe('Good day.');
  slow.reply();
  expect((await followUp).messageId).not.toBe('');
  expect(service.adapters.answerStarts).toMatchObject({ starting: 0, waiting: 0 });
});
