import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    openAi: {
      baseUrl: models.baseUrl,
      apiKey: null,
      chatModel: null,
      embeddingModel: 'stand-in',
    },
  });
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Sauna.md': 'The sauna opens at 16:00 and closes at 22:00.',
    'Pool.md': 'Children swim in the pool until six.',
  });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

const search = () =>
  searchKnowledge(service.system, { projectId, query: 'When does the sauna open?' });

test('while the embedding server fails, searches and answers use full text and do not wait for it', async () => {
  expect((await search())[0]?.similarity).toBeGreaterThan(0);
  models.script({ status: 503 }, { status: 503 }, { status: 503 });
  const failedAt = models.requests.length;
  expect((await search())[0]).toMatchObject({ documentName: 'Sauna.md', similarity: 0 });
  const attempts = models.requests.length - failedAt;
  expect(attempts).toBeGreaterThan(0);
  expect((await search())[0]).toMatchObject({ documentName: 'Sauna.md', similarity: 0 });
  const reply = await sendMessage(service.system, {
    projectId,
    message: 'When does the sauna open?',
  });
  expect(reply.content).toContain('16:00');
  expect(models.requests.length - failedAt).toBe(attempts);
});
