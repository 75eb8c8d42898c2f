import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { sharedDatabase } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;

const keepers = ['Jana', 'Kai', 'Lea', 'Mats', 'Nora', 'Ole'];
const days = ['2026-03-03', '2026-03-04', '2026-03-13', '2026-04-03', '2026-04-04', '2025-03-05'];

beforeAll(async () => {
  service = await startTestService({ database: await sharedDatabase() });
  ({ projectId } = await service.createTenant());
  const logs = days.map((day, index) => [
    `Log ${index}.md`,
    `The watch keeper of ${day} was ${keepers[index]} Holt. The harbour was calm.`,
  ]);
  await addDocuments(service, projectId, Object.fromEntries(logs));
});
afterAll(() => service?.stop());

describe('a day is found in the writing of the documents', () => {
  test.each(['4 March 2026', 'March 4th, 2026', '04.03.2026', '2026/3/4', '4. März 2026'])(
    '%s',
    async (day) => {
      const query = `Who was the watch keeper of ${day}?`;
      const [hit] = await searchKnowledge(service.system, { projectId, query });
      expect(hit?.content).toContain('Kai Holt');
      const reply = await sendMessage(service.system, { projectId, message: query });
      expect(reply.content).toBe('The watch keeper of 2026-03-04 was Kai Holt. [1]');
    },
  );
});
