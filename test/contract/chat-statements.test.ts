import { afterAll, beforeAll, expect, test } from 'vitest';
import { countStatements } from '../support/conversations.ts';
import { addDocuments, waitForProjectIndex } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

let models: OpenAiServer;
let service: TestService;
let key: string;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    openAi: models.chatModelConfig,
    database: await sharedDatabase(),
  });
  const tenant = await service.createTenant();
  ({ projectId } = tenant);
  key = await tenant.key({ projectId });
  // The service caches the language of the documents only if there are at least 32 chunks.
  const rooms = Array.from({ length: 34 }, (_, at) => `Room ${at + 1}`);
  await addDocuments(
    service,
    projectId,
    Object.fromEntries(rooms.map((room) => [`${room}.md`, `The key of ${room} is at the desk.`])),
  );
  await ask();
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await models?.close();
});

async function ask(): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Where is the key of room 7?', stream: true }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

test('a chat reads key and documents, and writes the turn with the project and the answer', async () => {
  await waitForProjectIndex(service, projectId);
  const counts: number[] = [];
  // Jobs and the renewal of the lease run at the same time, so the lowest count belongs to the chat only.
  for (let n = 0; n < 5; n += 1) counts.push(await countStatements(service.adapters.pool, ask));
  expect(Math.min(...counts)).toBe(4);
});

test('the confidence is measured while the model works, and sent before its text', async () => {
  const text = await ask();
  const types = [...text.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
  expect(types.slice(0, 3)).toEqual(['meta', 'sources', 'delta']);
  const [, confidence] = /"confidence":([\d.]+)/.exec(text) ?? [];
  expect(Number(confidence)).toBeGreaterThan(0);
});
