import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer, Reply } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let english: string;
let mixed: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId: english } = await service.createTenant());
  ({ projectId: mixed } = await service.createTenant());
  await addDocuments(service, english, {
    'Luggage.md': 'If your luggage was stolen, report it to the police within 24 hours.',
    'Parking.md': 'The garage has 40 spaces. A night in the garage costs 15 euros.',
    'Sauna.md': 'The sauna opens at 16:00 and closes at 22:00. Towels are free.',
  });
  await addDocuments(service, mixed, {
    'Sauna.md': 'The sauna opens at 16:00 and closes at 22:00. Towels are free.',
    'Garage.md': 'Die Garage hat 40 Plätze. Eine Nacht in der Garage kostet 15 Euro.',
  });
});
afterAll(() => service?.stop());

const german = 'Wem muss ich melden, dass mein Gepäck gestohlen wurde?';
const translation = { deltas: ['To whom must I report that my luggage was stolen?'] };
const answer = { deltas: ['Der Polizei, innerhalb von 24 Stunden [1].'] };

let sent: number;
beforeEach(() => {
  sent = models.requests.length;
});

async function ask(
  message: string,
  replies: readonly Reply[],
  { projectId = english, conversationId = null as string | null } = {},
) {
  models.script(...replies);
  const events: ChatEvent[] = [];
  for await (const event of await streamAnswer(service.system, {
    projectId,
    message,
    conversationId,
  })) {
    events.push(event);
  }
  const done = events.at(-1);
  const sources = events.find((event) => event.type === 'sources');
  if (done?.type !== 'done' || sources?.type !== 'sources') throw new Error(JSON.stringify(done));
  return { ...done.reply, found: sources };
}

const promptOf = (index: number) => JSON.stringify(models.requests[index]?.body.messages);

describe('a question in another language than the documents', () => {
  test('is translated for the search, and the model answers the question as it was asked', async () => {
    const reply = await ask(german, [translation, answer]);
    expect(models.requests).toHaveLength(sent + 2);
    expect(promptOf(sent)).toContain('English');
    expect(promptOf(sent)).toContain(german);
    expect(promptOf(sent + 1)).toContain(`Question:\\n${german}`);
    expect(promptOf(sent + 1)).not.toContain('To whom must I');
    expect(reply.content).toBe('Der Polizei, innerhalb von 24 Stunden [1].');
    expect(reply.citations[0]?.documentName).toBe('Luggage.md');
    expect(reply.found.confidence).toBeGreaterThan(0.7);
  });

  test.each<readonly [string, readonly Reply[]]>([
    ['fails', [{ status: 400, body: '{"error":{"message":"no"}}' }]],
    ['is empty', [{ deltas: [''] }]],
    ['is an essay', [{ deltas: ['word '.repeat(300)] }]],
  ])('is searched as it is if the translation %s', async (_, replies) => {
    const reply = await ask(german, [...replies, answer]);
    expect(reply.content).toBe('Der Polizei, innerhalb von 24 Stunden [1].');
    expect(promptOf(sent + 1)).toContain(`Question:\\n${german}`);
    expect(reply.found.confidence).toBeLessThan(0.7);
  });

  test('is translated in another script, too', async () => {
    await ask('Кому сообщить о краже багажа?', [translation, answer]);
    expect(models.requests).toHaveLength(sent + 2);
  });

  test('is translated by the call that rewrites a follow-up', async () => {
    const { conversationId } = await ask('When does the sauna open?', [
      { deltas: ['The sauna opens at 16:00 [1].'] },
    ]);
    expect(models.requests).toHaveLength(sent + 1);
    const reply = await ask(
      'Und die Garage?',
      [{ deltas: ['What does a night in the garage cost?'] }, { deltas: ['15 Euro [1].'] }],
      { conversationId },
    );
    expect(models.requests).toHaveLength(sent + 3);
    expect(promptOf(sent + 1)).toContain('English');
    expect(promptOf(sent + 1)).toContain('When does the sauna open?');
    expect(reply.citations[0]?.documentName).toBe('Parking.md');
  });
});

test.each([
  ['a question in the language of the documents', 'When does the sauna open?', () => english],
  ['a question whose language is unclear', 'Sauna 16:00?', () => english],
  ['documents in several languages', 'Wie viel kostet eine Nacht in der Garage?', () => mixed],
])('%s needs no translation', async (_, message, project) => {
  await ask(message, [{ deltas: ['See [1].'] }], { projectId: project() });
  expect(models.requests).toHaveLength(sent + 1);
});
