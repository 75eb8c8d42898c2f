import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { deleteDocument } from '../../src/domain/knowledge/delete-documents.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Prisma } from '../../src/platform/postgres/generated/prisma/client.ts';
import type {
  ApiKeyScope,
  ConversationChannel,
  FeedbackRating,
} from '../../src/platform/postgres/generated/prisma/enums.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { countStatements } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let viewer: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  viewer = await tenant.member('VIEWER');
});

const fields = `conversations deflected handedOver answers unsure confidence helpful unhelpful inputTokens outputTokens
  embeddingTokens handoffs replied replyP50Seconds replyP95Seconds repliesDue repliesInTime resolved
  resolutionP50Seconds resolutionP95Seconds resolutionsDue resolutionsInTime`;

type Figures = Record<string, number | null>;
interface Analytics {
  readonly current: Figures;
  readonly previous: Figures;
  readonly days: readonly (Figures & { readonly day: string })[];
  readonly weakAnswers: readonly { question: string; rating: string | null; confidence: number }[];
}

const range = { from: '2026-11-03T08:00:00Z', to: '2026-11-05T08:00:00Z' };
const query = `query ($projectId: ID!, $from: DateTime, $to: DateTime) {
  analytics(projectId: $projectId, from: $from, to: $to) {
    current { ${fields} } previous { ${fields} } days { day ${fields} }
    weakAnswers { question answer rating confidence conversationId }
  }
}`;

async function read(variables: object = range, client = viewer): Promise<Analytics> {
  const { projectId } = tenant;
  return (await client.data<{ analytics: Analytics }>(query, { projectId, ...variables }))
    .analytics;
}

interface Parts {
  readonly byHour: {
    readonly timeZone: string;
    readonly hours: readonly { hour: number; answers: number; refused: number }[];
  };
  readonly byAgent: readonly object[];
  readonly byLabel: readonly object[];
  readonly byTopic: readonly object[];
}

const partsQuery = `query ($projectId: ID!, $from: DateTime, $to: DateTime) {
  analytics(projectId: $projectId, from: $from, to: $to) {
    byHour { timeZone hours { hour answers refused } }
    byAgent { agent claimed resolved replyP50Seconds resolutionP50Seconds ratings meanRating }
    byLabel { name conversations refused handoffs ratings meanRating }
    byTopic { name answers unsure confidence helpful unhelpful }
  }
}`;

async function readParts(client = viewer): Promise<Parts> {
  const variables = { projectId: tenant.projectId, ...range };
  return (await client.data<{ analytics: Parts }>(partsQuery, variables)).analytics;
}

type Answer = Partial<
  Omit<Prisma.MessageCreateManyInput, 'id' | 'projectId' | 'conversationId'>
> & {
  readonly question?: string;
  readonly rating?: FeedbackRating;
};

/** Stores a conversation of that time that contains these answers. Returns its id. */
async function addConversation(
  time: string,
  answers: readonly Answer[],
  channel: ConversationChannel = 'REST',
): Promise<string> {
  const { projectId } = tenant;
  const { db } = service.system;
  const [conversationId, createdAt] = [newId(), new Date(time)];
  await db.conversation.create({
    data: { id: conversationId, projectId, title: 't', createdAt, channel },
  });
  for (const [index, { question = 'A question?', rating, ...answer }] of answers.entries()) {
    const row = { projectId, conversationId, createdAt };
    const position = 2 * index + 2;
    const asked = { id: newId(), position: position - 1, role: 'USER', content: question } as const;
    const answered = { id: newId(), position, role: 'ASSISTANT', content: 'An answer.' } as const;
    await db.message.createMany({
      data: [
        { ...row, ...asked },
        { ...row, ...answered, ...answer },
      ],
    });
    if (rating !== undefined) {
      await db.messageFeedback.create({ data: { messageId: answered.id, projectId, rating } });
    }
  }
  return conversationId;
}

/** Stores a handoff. Times are in minutes after the request. */
async function addHandoff(
  conversationId: string,
  time: string,
  minutes: {
    readonly replied?: number;
    readonly resolved?: number;
    readonly replyTarget?: number;
    readonly resolutionTarget?: number;
  },
  isRequested = true,
): Promise<void> {
  const after = (count: number | undefined) =>
    count === undefined ? null : new Date(Date.parse(time) + count * 60_000);
  await service.system.db.handoff.create({
    data: {
      ...{ id: newId(), projectId: tenant.projectId, conversationId, isRequested },
      ...{ requestedAt: new Date(time), status: minutes.resolved ? 'RESOLVED' : 'CLAIMED' },
      ...{ firstReplyAt: after(minutes.replied), firstReplyDueAt: after(minutes.replyTarget) },
      ...{ resolvedAt: after(minutes.resolved), resolutionDueAt: after(minutes.resolutionTarget) },
    },
  });
}

describe('the analytics of a project', () => {
  test('count conversations and answers per day, and compare with the days before', async () => {
    await addConversation('2026-11-02T23:59:59Z', [{ confidence: 0.9 }]);
    await addConversation('2026-11-03T00:00:00Z', [
      { confidence: 0.8, rating: 'UP', inputTokens: 100, outputTokens: 20, embeddingTokens: 5 },
      { confidence: 0.2, rating: 'DOWN', inputTokens: 10 },
    ]);
    const handedOver = await addConversation('2026-11-05T23:59:59Z', [{ confidence: 0.5 }]);
    await addHandoff(handedOver, '2026-11-06T00:10:00Z', {});
    await addConversation('2026-11-06T00:00:00Z', [{ confidence: 0.9 }]);
    const { current, previous, days } = await read();
    expect(current).toMatchObject({
      ...{ conversations: 2, deflected: 1, handedOver: 1, handoffs: 0 },
      ...{ answers: 3, unsure: 1, confidence: 0.5, helpful: 1, unhelpful: 1 },
      ...{ inputTokens: 110, outputTokens: 20, embeddingTokens: 5 },
    });
    expect(previous).toMatchObject({ conversations: 1, deflected: 1, answers: 1, confidence: 0.9 });
    expect(days.map(({ day, conversations, answers }) => [day, conversations, answers])).toEqual([
      ['2026-11-03T00:00:00.000Z', 1, 2],
      ['2026-11-04T00:00:00.000Z', 0, 0],
      ['2026-11-05T00:00:00.000Z', 1, 1],
    ]);
  });

  test('leave out small talk, answers that failed, and tests of operators', async () => {
    await addConversation('2026-11-04T10:00:00Z', [{ intent: 'GREETING' }]);
    await addConversation('2026-11-04T10:00:00Z', [{ status: 'FAILED' }]);
    const tested = await addConversation(
      '2026-11-04T10:00:00Z',
      [{ confidence: 0.1 }],
      'PLAYGROUND',
    );
    await addHandoff(tested, '2026-11-04T10:00:00Z', { replied: 5 });
    const { current, weakAnswers } = await read();
    expect(current).toMatchObject({ conversations: 0, answers: 0, confidence: null, handoffs: 0 });
    expect(weakAnswers).toEqual([]);
  });

  test('count a conversation that only asks for a person as handed over', async () => {
    const conversationId = await addConversation('2026-11-04T10:00:00Z', [{ intent: 'HUMAN' }]);
    await addHandoff(conversationId, '2026-11-04T10:00:00Z', {});
    expect((await read()).current).toMatchObject({ conversations: 1, handedOver: 1, deflected: 0 });
  });

  test('count a conversation that was only taken over neither as deflected nor as handed over', async () => {
    const conversationId = await addConversation('2026-11-04T10:00:00Z', [{ confidence: 0.7 }]);
    await addHandoff(conversationId, '2026-11-04T10:00:00Z', { replied: 1 }, false);
    const counts = { conversations: 1, deflected: 0, handedOver: 0, handoffs: 0, replied: 0 };
    expect((await read()).current).toMatchObject(counts);
  });

  test('compute median and 95th percentile of the times, and who was within the target', async () => {
    const time = '2026-11-04T10:00:00Z';
    const times = [
      { replied: 1, resolved: 10, replyTarget: 5, resolutionTarget: 60 },
      { replied: 2, resolved: 90, replyTarget: 5, resolutionTarget: 60 },
      { replied: 9, replyTarget: 5, resolutionTarget: 60 },
      { replied: 4 },
      // Overdue: the target has passed without a reply.
      { replyTarget: 5 },
      // Not overdue: resolved without a reply before the target.
      { resolved: 3, replyTarget: 5 },
      // Neither target has passed yet.
      { replyTarget: 10_000_000, resolutionTarget: 10_000_000 },
    ];
    for (const minutes of times) {
      await addHandoff(await addConversation(time, [{ confidence: 0.7 }]), time, minutes);
    }
    expect((await read()).current).toMatchObject({
      ...{ handoffs: 7, replied: 4, replyP50Seconds: 180, repliesDue: 4, repliesInTime: 2 },
      ...{ resolved: 3, resolutionP50Seconds: 600, resolutionsDue: 3, resolutionsInTime: 1 },
    });
    const { current } = await read();
    expect(current.replyP95Seconds).toBeCloseTo(495, 5);
    expect(current.resolutionP95Seconds).toBeCloseTo(4_920, 5);
  });

  test('list the worst answers: rated DOWN, then with the least confidence, never those rated UP', async () => {
    await addConversation('2026-11-04T10:00:00Z', [
      { question: 'Good?', confidence: 0.9 },
      { question: 'Unsure?', confidence: 0.1 },
      { question: 'Rated down?', confidence: 0.8, rating: 'DOWN' },
      { question: 'Liked?', confidence: 0.05, rating: 'UP' },
      { question: `${'Long '.repeat(100)}?`, confidence: 0.2 },
    ]);
    await addConversation('2026-11-01T10:00:00Z', [{ question: 'Before?', confidence: 0.1 }]);
    const { weakAnswers } = await read();
    expect(weakAnswers.map(({ question }) => question.slice(0, 11))).toEqual([
      'Rated down?',
      'Unsure?',
      'Long Long L',
    ]);
    expect(weakAnswers[2]?.question).toHaveLength(300);
  });

  test('count questions and refused ones by hour of the day, in the time zone of the business hours', async () => {
    const { projectId } = tenant;
    await addConversation('2026-11-03T23:30:00Z', [
      { citations: [{ documentId: newId() }] },
      { citations: [] },
    ]);
    await addConversation('2026-11-05T23:00:00Z', [{ citations: [] }]);
    await addConversation('2026-11-02T23:30:00Z', [{}]);
    const utc = await readParts();
    expect(utc.byHour.timeZone).toBe('UTC');
    expect(utc.byHour.hours).toHaveLength(24);
    expect(utc.byHour.hours[23]).toEqual({ hour: 23, answers: 3, refused: 2 });
    await service.system.db.project.update({
      where: { id: projectId },
      data: { businessHours: { timeZone: 'Asia/Kolkata', weekly: [] } },
    });
    const { byHour } = await readParts();
    expect(byHour.timeZone).toBe('Asia/Kolkata');
    expect(byHour.hours.filter(({ answers }) => answers > 0)).toEqual([
      { hour: 4, answers: 1, refused: 1 },
      { hour: 5, answers: 2, refused: 1 },
    ]);
  });

  test('measure each agent, and sum up those after the first 50', async () => {
    const time = '2026-11-04T10:00:00Z';
    const { db } = service.system;
    const { projectId } = tenant;
    const claim = async (claimedBy: string, minutes = {}, rating: number | null = null) => {
      const conversationId = await addConversation(time, [{ confidence: 0.7 }]);
      await addHandoff(conversationId, time, minutes);
      const { id } = await db.handoff.update({
        where: { id: (await db.handoff.findFirstOrThrow({ where: { conversationId } })).id },
        data: { claimedBy },
      });
      if (rating !== null) {
        const satisfaction = { handoffId: id, projectId, agent: claimedBy, rating };
        await db.handoffSatisfaction.create({ data: { ...satisfaction, ratedAt: new Date() } });
      }
    };
    await claim('mia@harbour.example', { replied: 1, resolved: 10 }, 5);
    await claim('mia@harbour.example', { replied: 3, resolved: 20 }, 2);
    await claim('mia@harbour.example');
    for (let n = 10; n < 61; n += 1) await claim(`agent-${n}@harbour.example`, { replied: n });
    await addHandoff(await addConversation(time, [{}]), time, {});
    const { byAgent } = await readParts();
    expect(byAgent).toHaveLength(51);
    const none = { resolved: 0, resolutionP50Seconds: null, ratings: 0, meanRating: null };
    expect([byAgent[0], byAgent[1], byAgent[50]]).toEqual([
      {
        ...{ agent: 'mia@harbour.example', claimed: 3, resolved: 2, ratings: 2, meanRating: 3.5 },
        ...{ replyP50Seconds: 120, resolutionP50Seconds: 900 },
      },
      { ...none, agent: 'agent-10@harbour.example', claimed: 1, replyP50Seconds: 600 },
      { ...none, agent: null, claimed: 2, replyP50Seconds: 59.5 * 60 },
    ]);
  });

  test('measure the conversations of each label, and sum up the labels after the first 50', async () => {
    const { db } = service.system;
    const { projectId } = tenant;
    const time = '2026-11-04T10:00:00Z';
    const label = async (name: string, conversationIds: readonly string[]) => {
      const { id: labelId } = await db.label.create({ data: { id: newId(), projectId, name } });
      await db.conversationLabel.createMany({
        data: conversationIds.map((conversationId) => ({ projectId, conversationId, labelId })),
      });
    };
    const refused = await addConversation(time, [
      { citations: [] },
      { citations: [{ documentId: newId() }] },
    ]);
    await addHandoff(refused, time, { resolved: 1 });
    const { id: handoffId } = await db.handoff.findFirstOrThrow({
      where: { conversationId: refused },
    });
    await db.handoffSatisfaction.create({
      data: { handoffId, projectId, agent: 'mia', rating: 4, ratedAt: new Date() },
    });
    const other = await addConversation(time, [{ citations: [{ documentId: newId() }] }]);
    const before = await addConversation('2026-11-02T10:00:00Z', [{ citations: [] }]);
    const tested = await addConversation(time, [{ citations: [] }], 'PLAYGROUND');
    await label('Billing', [refused, other, before, tested]);
    for (let n = 0; n < 51; n += 1) await label(`Label ${n}`, [refused]);
    const { byLabel } = await readParts();
    expect(byLabel).toHaveLength(51);
    const rated = { ratings: 1, meanRating: 4 };
    expect(byLabel[0]).toEqual({
      ...{ name: 'Billing', conversations: 2, refused: 1, handoffs: 1 },
      ...rated,
    });
    expect(byLabel[50]).toEqual({
      ...{ name: null, conversations: 2, refused: 2, handoffs: 2, ratings: 2, meanRating: 4 },
    });
  });

  test('count an answer once for each tag of the documents that it cites', async () => {
    const { projectId } = tenant;
    const add = async (name: string, tags: readonly string[]) => {
      const document = { projectId, name, content: `The text of ${name}.`, tags };
      return { documentId: (await createDocument(service.system, document)).id };
    };
    const pool = await add('Pool', ['guests', 'water']);
    const beach = await add('Beach', ['water']);
    const bar = await add('Bar', []);
    const removed = await add('Removed', ['removed']);
    await deleteDocument(service.system, { projectId, id: removed.documentId });
    const time = '2026-11-04T10:00:00Z';
    await addConversation(time, [
      { citations: [pool, pool, beach], confidence: 0.8, rating: 'UP' },
      { citations: [beach], confidence: 0.2, rating: 'DOWN' },
      { citations: [bar, removed], confidence: 0.9 },
      { citations: [], confidence: 0.1 },
    ]);
    await addConversation('2026-11-02T10:00:00Z', [{ citations: [pool], confidence: 0.9 }]);
    await addConversation(time, [{ citations: [pool], confidence: 0.9 }], 'PLAYGROUND');
    const { byTopic } = await readParts();
    expect(byTopic).toEqual([
      { name: 'water', answers: 2, unsure: 1, confidence: 0.5, helpful: 1, unhelpful: 1 },
      { name: 'guests', answers: 1, unsure: 0, confidence: 0.8, helpful: 1, unhelpful: 0 },
    ]);

    const topicsOf = async (filter: object | null) => {
      const { secret } = await createApiKey(service.system, {
        ...{ organizationId: tenant.organizationId, projectId, name: 'Reports', filter },
        scopes: ['ANALYTICS_READ', 'KNOWLEDGE_READ', 'CONVERSATIONS_READ'],
      });
      return (await readParts(graphqlClient(service.url, secret))).byTopic.length;
    };
    expect(await topicsOf(null)).toBe(2);
    expect(await topicsOf({ tags: { in: ['guests'] } })).toBe(0);
  });

  test('name the 50 topics with the most answers', async () => {
    const { projectId } = tenant;
    const tags = Array.from({ length: 60 }, (_, index) => `tag ${index + 10}`);
    const citations = await Promise.all(
      [0, 20, 40].map(async (first) => {
        const document = { name: `Document ${first}`, content: `The text of ${first}.` };
        const { id } = await createDocument(service.system, {
          ...{ projectId, ...document, tags: tags.slice(first, first + 20) },
        });
        return { documentId: id };
      }),
    );
    const [, , last] = citations;
    await addConversation('2026-11-04T10:00:00Z', [{ citations }, { citations: last && [last] }]);
    const { byTopic } = await readParts();
    expect(byTopic).toHaveLength(50);
    expect(byTopic[0]).toMatchObject({ name: 'tag 50', answers: 2 });
    expect(byTopic[20]).toMatchObject({ name: 'tag 10', answers: 1 });
  });

  test('need one permission, and the worst answers that to read conversations', async () => {
    await addConversation('2026-11-04T10:00:00Z', [{ confidence: 0.1 }]);
    const keyClient = async (scopes: ApiKeyScope[]) => await tenant.graphql({ scopes });
    const reports = await keyClient(['ANALYTICS_READ']);
    const { errors, data } = await reports.send(query, { projectId: tenant.projectId, ...range });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['SCOPE_MISSING']);
    expect(data ?? null).toBeNull();
    const both = await keyClient(['ANALYTICS_READ', 'CONVERSATIONS_READ']);
    expect((await read(range, both)).weakAnswers).toHaveLength(1);
  });

  test('contain nothing of another project', async () => {
    await addConversation('2026-11-04T10:00:00Z', [{ confidence: 0.1 }]);
    tenant = await service.createTenant();
    const { current, weakAnswers } = await read(range, await tenant.member('OWNER'));
    expect([current.conversations, current.answers, weakAnswers.length]).toEqual([0, 0, 0]);
    viewer = await tenant.member('VIEWER');
    const { byHour, byAgent, byLabel, byTopic } = await readParts();
    expect(byHour.hours.filter(({ answers }) => answers > 0)).toEqual([]);
    expect([...byAgent, ...byLabel, ...byTopic]).toEqual([]);
  });

  test('cover the last 30 days by default, and at most 92', async () => {
    expect((await read({})).days).toHaveLength(30);
    const tooLong = { from: '2026-08-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    const { errors } = await viewer.send(query, { projectId: tenant.projectId, ...tooLong });
    expect(errors?.[0]?.extensions.messages).toEqual(['to must be within 92 days of from']);
  });

  test('take as many statements for three months as for a day', async () => {
    const statements = (variables: object) =>
      countStatements(service.system.pool, () => read(variables));
    const one = await statements({ from: range.from, to: range.from });
    expect(await statements({ from: '2026-08-10T00:00:00Z', to: '2026-11-05T00:00:00Z' })).toBe(
      one,
    );
  });
});
