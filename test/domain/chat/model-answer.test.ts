import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { maxFallbackConfidence } from '../../../src/domain/chat/evidence/answer-rule.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer, Reply } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;
let emptyProjectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId } = await service.createTenant());
  ({ projectId: emptyProjectId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Check-out.md': 'Check-out is until 11:00. Late check-out costs 20 euros an hour.',
    'Sauna.md': 'The sauna opens at 16:00 and closes at 22:00. Towels are free.',
    'Parking.md': 'The garage has 40 spaces. A night in the garage costs 15 euros.',
  });
});
afterAll(() => service?.stop());

const question = 'Until when is check-out?';
const marker = 'NO_ANSWER_IN_SOURCES';

async function ask(reply: Reply | null, message = question, project = projectId) {
  if (reply !== null) models.script(reply);
  const events: ChatEvent[] = [];
  for await (const event of await streamAnswer(service.system, { projectId: project, message })) {
    events.push(event);
  }
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error(JSON.stringify(done));
  const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
  const sources = events.flatMap((event) => (event.type === 'sources' ? event.citations : []));
  expect(deltas.join('')).toBe(done.reply.content);
  return { ...done.reply, deltas, sources };
}

const namesOf = (citations: readonly { documentName: string }[]) =>
  citations.map(({ documentName }) => documentName);

describe('the decision to answer', () => {
  test('is with the model if retrieval finds anything, also in another language', async () => {
    const before = models.requests.length;
    models.script({ deltas: ['When can I sweat in the evening?'] });
    const reply = await ask(
      { deltas: ['Die Sauna öffnet um 16:00 Uhr [1].'] },
      'Ab wann kann ich am Abend schwitzen?',
    );
    expect(models.requests).toHaveLength(before + 2);
    expect(reply.content).toBe('Die Sauna öffnet um 16:00 Uhr [1].');
    expect(reply.citations).toHaveLength(1);
  });

  test('is without the model if retrieval finds nothing', async () => {
    const before = models.requests.length;
    const reply = await ask(null, question, emptyProjectId);
    expect(models.requests).toHaveLength(before);
    expect(reply).toMatchObject({ citations: [], confidence: 0, sources: [] });
    expect(reply.content).toContain("I don't know");
  });
});

describe('a refusal of the model', () => {
  const sentence = 'Das weiß ich leider nicht.';

  test.each([
    ['the marker comes first', [`${marker}\n${sentence}`]],
    ['the marker arrives in pieces', [...`${marker}\n\n${sentence}`]],
    ['the marker has decoration', ['**[', `${marker}]**`, `:\n${sentence}`]],
    ['the marker comes last', [sentence, `\n${marker.slice(0, 7)}`, marker.slice(7)]],
    ['the refusal names a source', [`${marker}\nDas `, 'weiß ich [1] leider nicht.']],
  ])('has no citations, low confidence and no marker if %s', async (_, deltas) => {
    const reply = await ask({ deltas });
    expect(reply.content.trim()).toBe(sentence);
    expect(reply.citations).toEqual([]);
    expect(reply.confidence).toBeLessThanOrEqual(maxFallbackConfidence);
    expect(reply.sources.length).toBeGreaterThan(0);
  });

  test('consists of the fallback text if the model writes the marker only', async () => {
    const reply = await ask({ deltas: [` ${marker}\n`] });
    expect(reply.content).toContain("I don't know");
    expect(reply).toMatchObject({ citations: [] });
    expect(reply.confidence).toBeLessThanOrEqual(maxFallbackConfidence);
  });

  test('is recognised in the refusal field of the server', async () => {
    const reply = await ask({ deltas: [], refusal: 'I cannot help with check-out.' });
    expect(reply).toMatchObject({ content: 'I cannot help with check-out.', citations: [] });
    expect(reply.confidence).toBeLessThanOrEqual(maxFallbackConfidence);
  });

  test('is stored as an unsure answer with the name of the model', async () => {
    const { messageId } = await ask({ deltas: [`${marker}\n${sentence}`] });
    const message = await service.system.db.message.findFirst({
      where: { id: messageId, projectId },
    });
    expect(message).toMatchObject({ status: 'COMPLETED', model: 'stand-in', citations: [] });
    expect(message?.confidence).toBeLessThanOrEqual(maxFallbackConfidence);
  });

  test('is no refusal if the model answers a part with a source', async () => {
    const reply = await ask({
      deltas: ['Check-out is until 11:00 [1].\n', marker, '\nI do not know about breakfast.'],
    });
    expect(reply.content).toBe('Check-out is until 11:00 [1].\nI do not know about breakfast.');
    expect(reply.citations).toHaveLength(1);
  });
});

describe('the citations of an answer', () => {
  test('are the cited passages only, numbered by first appearance', async () => {
    const message = 'When does the sauna open, and what does a night in the garage cost?';
    const { sources } = await ask({ deltas: ['x [1]'] }, message);
    expect(sources.length).toBeGreaterThan(1);
    const last = sources.length;
    const deltas = ['One [', `${last}]. Two [1][${last}]. Three [1].`];
    const reply = await ask({ deltas }, message);
    expect(reply.content).toBe('One [1]. Two [2][1]. Three [2].');
    expect(namesOf(reply.citations)).toEqual([
      sources.at(-1)?.documentName,
      sources[0]?.documentName,
    ]);
  });

  test('are the passages that support the sentences if the model writes no markers', async () => {
    const reply = await ask({ deltas: ['Check-out is until 11:00.'] });
    expect(namesOf(reply.citations)).toEqual(['Check-out.md']);
    expect(reply.citations[0]?.quote).toContain('Check-out is until 11:00.');
    expect(reply.confidence).toBeGreaterThan(0.5);
  });

  test('are none, with low confidence, if no passage supports the answer', async () => {
    for (const text of [
      'Guests leave before breakfast on the last of their seven days.',
      'I am sorry, I have no information about that.',
      'Leider finde ich dazu nichts.',
    ]) {
      const reply = await ask({ deltas: [text] });
      expect(reply).toMatchObject({ content: text, citations: [] });
      expect(reply.confidence).toBeLessThanOrEqual(maxFallbackConfidence);
    }
  });

  test('of a stopped or failed answer are the passages that its text cites', async () => {
    models.script({
      deltas: ['Check-out is until 11:00 [1]. And '],
      finishReason: null,
      end: 'cut',
    });
    let messageId = '';
    for await (const event of await streamAnswer(service.system, {
      projectId,
      message: question,
    })) {
      if (event.type === 'meta') ({ messageId } = event);
    }
    const stored = await service.system.db.message.findFirst({
      where: { id: messageId, projectId },
    });
    expect(stored).toMatchObject({ status: 'FAILED', citations: [expect.anything()] });
  });
});
