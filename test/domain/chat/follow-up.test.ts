import { beforeAll, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Warranty.md':
      '# Warranty\n\nThe warranty of a tent is five years. The warranty of a backpack is three years.',
    'Parking.md': '# Parking\n\nParking costs two euros an hour. Parking is free on Sundays.',
    'Claims.md':
      '# Stolen luggage\n\nReport stolen luggage to the police within 24 hours. Send the form within 30 days.',
  });
}, 60_000);

async function converse(...messages: string[]) {
  let conversationId: string | null = null;
  for (const message of messages) {
    const reply = await sendMessage(service.system, { projectId, message, conversationId });
    conversationId = reply.conversationId;
    if (message === messages.at(-1)) return reply;
  }
  throw new Error('no message');
}

const warranty = 'How long is the warranty of a tent?';

test('a follow-up about another thing gets the topic of the last answered question', async () => {
  const reply = await converse(warranty, 'and of a backpack?');
  expect(reply.content).toContain('three years');
  expect(reply.content).not.toContain('five years');
});

test('a follow-up about a thing in no document is refused, not answered by the topic', async () => {
  const reply = await converse(warranty, 'and kayaks?');
  expect(reply.citations).toEqual([]);
  expect(reply.content).not.toContain('five years');
});

test('a refused question is not the topic of the next one', async () => {
  const reply = await converse(warranty, 'Who won the world cup in 1998?', 'and of a backpack?');
  expect(reply.content).toContain('three years');
});

test.each([
  [warranty, 'Is parking free on Sundays?', 'Parking.md'],
  ['Is parking free on Sundays?', warranty, 'Warranty.md'],
])('after "%s", "%s" is answered as if it were asked first', async (before, message, name) => {
  const alone = await converse(message);
  const later = await converse(before, message);
  expect(later.content).toBe(alone.content);
  expect(later.confidence).toBe(alone.confidence);
  expect(later.citations[0]?.documentName).toBe(name);
});

test('a follow-up stays with the passage that was cited', async () => {
  const { content, citations } = await converse(
    'Where do I report it to the police?',
    'and the form?',
  );
  expect(content).toContain('30 days');
  expect(citations[0]?.documentName).toBe('Claims.md');
});
