import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failOrphanedAnswers } from '../../src/domain/chat/finalize-turn.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { deleteDocument } from '../../src/domain/knowledge/delete-documents.ts';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { getUsage } from '../../src/domain/usage/usage.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

const question = 'Until when is check-out?';
const page = 'Check-out is until 11:00. Late check-out costs 20 euros an hour.';

let models: OpenAiServer;
let service: TestService;
let root: GraphqlClient;
let tenant: Tenant;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant({ plan: 'free' });
});

interface Day {
  readonly day: string;
  readonly messages: number;
  readonly evaluatedQuestions: number;
  readonly judgedQuestions: number;
  readonly tokens: { input: number; output: number; embedding: number; total: number };
  readonly storedBytes: number;
}

const ask = () => sendMessage(service.system, { projectId: tenant.projectId, message: question });

const fields =
  'day messages evaluatedQuestions judgedQuestions tokens { input output embedding total } storedBytes';

async function days(variables: { from?: string; to?: string } = {}): Promise<Day[]> {
  const { usageByDay } = await root.data<{ usageByDay: Day[] }>(
    `query ($organizationId: ID!, $from: DateTime, $to: DateTime) {
      usageByDay(organizationId: $organizationId, from: $from, to: $to) { ${fields} }
    }`,
    { organizationId: tenant.organizationId, ...variables },
  );
  return usageByDay;
}

const sum = (list: readonly Day[], amount: (day: Day) => number) =>
  list.reduce((total, day) => total + amount(day), 0);

/** Moves answers and their usage to another day. */
async function moveToDay(day: string): Promise<void> {
  const { db } = service.system;
  const { organizationId, projectId } = tenant;
  await db.$executeRaw`update grounded.messages set created_at = ${day}::timestamptz where project_id = ${projectId}::uuid`;
  await db.$executeRaw`update grounded.usage_days set day = ${day}::date where organization_id = ${organizationId}::uuid`;
  await db.$executeRaw`
    update grounded.usage_periods set starts_on = date_trunc('month', ${day}::date)::date
    where organization_id = ${organizationId}::uuid`;
}

describe('the days of a month add up to the month', () => {
  test('after concurrent answers, searches, failures, dead processes, documents and deletions', async () => {
    const { projectId, organizationId } = tenant;
    const documents = await addDocuments(service, projectId, { 'A.md': page, 'B.md': 'Sauna.' });
    const note = documents.find(({ name }) => name === 'B.md');
    if (note === undefined) throw new Error('no document');
    models.script({ deltas: ['Until'], finishReason: null });
    models.script({ deltas: ['Until'], finishReason: null });
    const work = Array.from({ length: 40 }, async (_, n) => {
      if (n % 4 === 0) await searchKnowledge(service.system, { projectId, query: question });
      else await ask();
    });
    const removal = deleteDocument(service.system, { projectId, id: note.id });
    const ended = await Promise.allSettled([...work, removal]);
    expect(ended.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(2);

    const { messageId } = await ask();
    await service.system.db.message.update({
      where: { id: messageId },
      data: { status: 'GENERATING', leaseRenewedAt: new Date(0) },
    });
    await Promise.all([
      failOrphanedAnswers(service.adapters),
      failOrphanedAnswers(service.adapters),
    ]);

    const month = await getUsage(service.system, { organizationId });
    const list = await days({ from: month.period.start.toISOString() });
    expect(month.messages.used).toBeGreaterThanOrEqual(28);
    expect(month.tokens.input).toBeGreaterThan(0);
    expect(sum(list, ({ messages }) => messages)).toBe(month.messages.used);
    expect({
      input: sum(list, ({ tokens }) => tokens.input),
      output: sum(list, ({ tokens }) => tokens.output),
      embedding: sum(list, ({ tokens }) => tokens.embedding),
      total: sum(list, ({ tokens }) => tokens.total),
    }).toEqual(month.tokens);
    expect(list.at(-1)?.storedBytes).toBe(month.storage.usedBytes);
  });

  test('after conversations and documents are deleted: usage remains', async () => {
    const { projectId } = tenant;
    const [document] = await addDocuments(service, projectId, { 'A.md': page });
    if (document === undefined) throw new Error('no document');
    await ask();
    const before = await days();
    await service.system.db.conversation.deleteMany({ where: { projectId } });
    await deleteDocument(service.system, { projectId, id: document.id });
    const after = await days();
    expect(after.at(-1)).toEqual({ ...before.at(-1), storedBytes: 0 });
    expect(after.at(-1)?.messages).toBe(1);
  });
});

test('a message is refunded on the day on which it was sent', async () => {
  const { messageId } = await ask();
  await ask();
  await moveToDay('2026-02-28');
  await service.system.db.message.update({
    where: { id: messageId },
    data: { status: 'GENERATING', leaseRenewedAt: new Date(0) },
  });
  await failOrphanedAnswers(service.adapters);
  const list = await days({ from: '2026-02-27T12:00:00Z', to: '2026-03-01T12:00:00Z' });
  expect(list.map(({ day, messages }) => [day, messages])).toEqual([
    ['2026-02-27T00:00:00.000Z', 0],
    ['2026-02-28T00:00:00.000Z', 1],
    ['2026-03-01T00:00:00.000Z', 0],
  ]);
});

test('storage keeps the value of the last day that changed it', async () => {
  await addDocuments(service, tenant.projectId, { 'A.md': 'x'.repeat(300) });
  await service.system.db.$executeRaw`
    update grounded.storage_days set day = '2026-03-02'::date
    where organization_id = ${tenant.organizationId}::uuid`;
  await addDocuments(service, tenant.projectId, { 'B.md': 'x'.repeat(50) });
  const march = await days({ from: '2026-03-01T00:00:00Z', to: '2026-03-04T00:00:00Z' });
  expect(march.map(({ storedBytes }) => storedBytes)).toEqual([0, 300, 300, 300]);
  expect((await days()).at(-1)?.storedBytes).toBe(350);
});

describe('the requested days', () => {
  test('are by default the last 30, ending today', async () => {
    const list = await days();
    expect(list).toHaveLength(30);
    expect(list.at(-1)?.day.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
  });

  test('are at most one year', async () => {
    expect(await days({ from: '2024-01-01T00:00:00Z', to: '2024-12-31T23:59:59Z' })).toHaveLength(
      366,
    );
    const { errors } = await root.send(
      `query ($organizationId: ID!) {
        usageByDay(organizationId: $organizationId, from: "2024-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z") { day }
      }`,
      { organizationId: tenant.organizationId },
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: ['to must be within 366 days of from'],
    });
  });

  test('belong to one organization', async () => {
    await ask();
    tenant = await service.createTenant();
    expect(sum(await days(), ({ messages }) => messages)).toBe(0);
  });
});
