import { beforeAll, expect, test } from 'vitest';
import { explainSearch } from '../../../src/domain/chat/explain-search.ts';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { addDocuments, waitForProjectIndex } from '../../support/knowledge.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Backup.md':
      '# Offline Backup\n\nThe Offline Backup of the NAS-42 is stored for 90 days. It is on the second disk.',
    'Parking.md': '# Parking\n\nParking is free on Sundays.',
  });
  // Without the index, the first search has slightly different scores: vectors in memory have 16 bits.
  await waitForProjectIndex(service, projectId);
}, 60_000);

const german = 'Wie lange ist das Offline Backup der NAS-42 gespeichert?';

test('the introduction of a foreign passage is no statement: it does not lower the confidence', async () => {
  const reply = await sendMessage(service.system, { projectId, message: german });
  const quote =
    'The Offline Backup of the NAS-42 is stored for 90 days. It is on the second disk. [1]';
  expect(reply.content).toBe(`Das habe ich auf Englisch gefunden: ${quote}`);
  expect(reply.citations).toHaveLength(1);
  expect(reply.citations[0]?.documentName).toBe('Backup.md');
  const { confidence } = await explainSearch(service.system, { projectId, query: german });
  expect(reply.confidence).toBeCloseTo(confidence, 6);
});

test('an answer that repeats the previous one keeps its confidence', async () => {
  const first = await sendMessage(service.system, {
    projectId,
    message: 'Is parking free on Sundays?',
  });
  const again = await sendMessage(service.system, {
    projectId,
    message: 'Is parking free on Sundays?',
    conversationId: first.conversationId,
  });
  expect(first.content).toBe('Yes. Parking is free on Sundays. [1]');
  expect(again.content).toBe('The same passage applies: Parking is free on Sundays. [1]');
  expect(again.confidence).toBe(first.confidence);
});
