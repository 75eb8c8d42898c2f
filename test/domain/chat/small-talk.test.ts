import { beforeAll, describe, expect, test } from 'vitest';
import { readHistory } from '../../../src/domain/chat/conversation-history.ts';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { giveFeedback } from '../../../src/domain/feedback/give-feedback.ts';
import { listUnansweredQuestions } from '../../../src/domain/insights/unanswered-questions.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { streamChat } from '../../support/api/chat-stream.ts';
import type { RestClient } from '../../support/api/rest-client.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  client = await tenant.rest();
  await addDocuments(service, projectId, {
    'Sauna.md': '# Sauna\n\nThe sauna opens at 16:00 and closes at 22:00. Towels are free.',
    'Claims.md': '# Claims\n\nHuman error is covered by the insurance of the sauna.',
    'Preise.md': '# Preise\n\nDer Eintritt kostet 12 Euro.',
  });
});

const question = 'When does the sauna open?';
const ask = (message: string, conversationId?: string) =>
  sendMessage(service.system, { projectId, message, conversationId });

const transcript = (conversationId: string) =>
  service.system.db.message.findMany({
    where: { conversationId, projectId },
    orderBy: { position: 'asc' },
  });

async function newProject() {
  const { projectId: id, organizationId } = await service.createTenant();
  return {
    id,
    organizationId,
    set: (assistant: object) => updateProject(service.system, { id, assistant }),
    ask: (message: string, conversationId?: string) =>
      sendMessage(service.system, { projectId: id, message, conversationId }),
  };
}

describe('small talk through POST /chat', () => {
  test('is answered without citations, with confidence 0', async () => {
    const response = await client.post('/chat', { message: 'Hello!' });
    expect(response.status).toBe(200);
    const reply = await response.json();
    expect(reply).toMatchObject({
      content: 'Hello! How can I help you? Ask me a question, and I will look for the answer.',
      citations: [],
      confidence: 0,
    });
    expect(Object.keys(reply).sort()).toEqual(
      ['citations', 'confidence', 'content', 'conversationId', 'latencyMs', 'messageId'].sort(),
    );
    expect(await transcript(reply.conversationId)).toMatchObject([
      { role: 'USER', content: 'Hello!', intent: 'GREETING', position: 1 },
      {
        ...{ role: 'ASSISTANT', status: 'COMPLETED', intent: 'GREETING', position: 2 },
        ...{ content: reply.content, confidence: 0, model: null, embeddingTokens: 0 },
      },
    ]);
  });

  test('is streamed as meta, sources, delta, done', async () => {
    const stream = await streamChat(client, { message: 'Vielen Dank!' });
    const events = await stream.readToEnd();
    expect(events).toMatchObject([
      { type: 'meta' },
      { type: 'sources', citations: [], confidence: 0 },
      { type: 'delta', text: expect.stringContaining('Gern geschehen') },
      { type: 'done', content: events[2]?.text, citations: [], confidence: 0 },
    ]);
  });

  test.each([
    ['who are you?', 'not a person'],
    ['Was kannst du?', 'Dokumenten'],
    ['Quiero hablar con una persona', 'Hablar con una persona'],
    ['c’est nul', 'désolé'],
    ['asdkjh', 'did not understand'],
    ['arrivederci', 'Arrivederci'],
    ['dank u wel', 'Graag gedaan'],
    ['oi, tudo bem?', 'Como posso ajudar'],
  ])('%s → %s', async (message, text) => {
    expect(await ask(message)).toMatchObject({
      content: expect.stringContaining(text),
      citations: [],
      confidence: 0,
    });
  });
});

test('a question with polite words is answered from the documents', async () => {
  const reply = await ask('Hi! Is human error covered by the insurance?');
  expect(reply.content).toContain('Human error is covered');
  const [first, answer] = await transcript(reply.conversationId);
  expect([first?.intent, answer?.intent]).toEqual([null, null]);
});

test('the history of a follow-up omits small talk', async () => {
  const { conversationId } = await ask(question);
  await ask('thanks!', conversationId);
  await ask('ok 👍', conversationId);
  const reply = await ask('And when does it close?', conversationId);
  expect(reply.content).toContain('22:00');
  const turn = { conversationId, messageId: reply.messageId, position: 8, isAgentOwned: false };
  const history = await readHistory(service.system, projectId, turn);
  expect(history.map(({ role, content }) => (role === 'USER' ? content : role))).toEqual([
    question,
    'ASSISTANT',
  ]);
});

test('words that many languages share are answered in the language of the conversation', async () => {
  const { conversationId } = await ask('Was kostet der Eintritt für Kinder?');
  expect((await ask('ok', conversationId)).content).toContain('Gern geschehen');
  expect((await ask('👋', conversationId)).content).toContain('Guten Tag');
});

describe('the fallback text', () => {
  test.each([
    ['Which volcano erupted in Iceland in 1783?', "I don't know"],
    ['Welcher Vulkan ist im Jahr 1783 auf Island ausgebrochen?', 'Das weiß ich nicht'],
    ['¿Qué volcán entró en erupción en Islandia en el año 1783?', 'No lo sé'],
    ['Quel volcan est entré en éruption en Islande en 1783 ?', 'Je ne sais pas'],
    ['Vulkan Island 1783', "I don't know"],
  ])('is in the language of the question: %s', async (message, text) => {
    expect((await (await newProject()).ask(message)).content).toContain(text);
  });

  test('of the project is used as it is', async () => {
    const project = await newProject();
    await project.set({ fallbackText: 'Ask Ada.' });
    expect((await project.ask('Welcher Vulkan ist im Jahr 1783 ausgebrochen?')).content).toBe(
      'Ask Ada.',
    );
  });
});

test('the texts of the project replace the built-in ones, and null restores them', async () => {
  const project = await newProject();
  const texts = {
    greetingText: 'Ahoy!',
    thanksText: 'Any time.',
    goodbyeText: 'So long.',
    identityText: 'I am Robo.',
    helpText: 'Ask about tents.',
    humanText: 'Call 555 0100.',
    complaintText: 'Oh dear.',
    gibberishText: 'Pardon?',
  };
  await project.set(texts);
  const messages = ['hi', 'thx', 'bye', 'who are you', 'help', 'agent', 'useless', 'fjdksl'];
  const replies = [];
  for (const message of messages) replies.push((await project.ask(message)).content);
  expect(replies).toEqual(Object.values(texts));
  await project.set({ greetingText: null });
  expect((await project.ask('hi')).content).toContain('How can I help you?');
});

describe('a request for a person', () => {
  const requested = (projectId: string) =>
    service.system.db.handoff.findMany({ where: { projectId }, select: { conversationId: true } });

  test('does not start a handoff by default', async () => {
    const project = await newProject();
    expect((await project.ask('human please')).content).toContain('Talk to a human');
    expect(await requested(project.id)).toEqual([]);
  });

  test('starts one handoff with START, and the reply is the holding message', async () => {
    const project = await newProject();
    await project.set({ humanRequest: 'START' });
    const { conversationId, content } = await project.ask('Ich möchte mit einem Menschen sprechen');
    expect(content).toBe('Unser Team wurde benachrichtigt und antwortet Ihnen hier.');
    expect(await requested(project.id)).toEqual([{ conversationId }]);
    const conversation = await service.system.db.conversation.findUnique({
      where: { id: conversationId },
    });
    expect(conversation?.status).toBe('HANDOFF_REQUESTED');
    await project.set({ holdingText: 'Ada will answer you.' });
    expect((await project.ask('human!', conversationId)).content).toBe('Ada will answer you.');
    expect(await requested(project.id)).toHaveLength(1);

    const closed = { timeZone: 'Europe/Berlin', weekly: [] };
    await project.set({ businessHours: closed, outOfHoursText: 'We open at nine.' });
    expect((await project.ask('human!', conversationId)).content).toBe('We open at nine.');
  });

  test('with an open handoff does not explain how to request one', async () => {
    const project = await newProject();
    await project.set({ humanRequest: 'START' });
    const { conversationId } = await project.ask('human please');
    await project.set({ humanRequest: null });
    expect((await project.ask('agent', conversationId)).content).toContain('has been notified');
  });
});

test('small talk is not counted as unanswered, even if the reply is rated bad', async () => {
  const project = await newProject();
  const reply = await project.ask('hello');
  await project.ask('asdkjh');
  await giveFeedback(service.system, {
    ...{ projectId: project.id, messageId: reply.messageId, rating: 'DOWN' },
  });
  await project.ask('Which volcano erupted in Iceland in 1783?');
  const groups = await listUnansweredQuestions(service.system, { projectId: project.id });
  expect(groups.map(({ question }) => question)).toEqual([
    'Which volcano erupted in Iceland in 1783?',
  ]);
  const { rows } = await service.adapters.pool.query(
    'select sum(answers)::int as answers, sum(unsure)::int as unsure from grounded.answer_days where organization_id = $1',
    [project.organizationId],
  );
  expect(rows).toEqual([{ answers: 1, unsure: 1 }]);
  const usage = await service.adapters.pool.query(
    'select messages from grounded.usage_days where organization_id = $1',
    [project.organizationId],
  );
  expect(usage.rows).toEqual([{ messages: 3 }]);
});
