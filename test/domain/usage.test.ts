import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failOrphanedAnswers } from '../../src/domain/chat/finalize-turn.ts';
import { startOrphanSweeper } from '../../src/domain/chat/runs/orphan-sweeper.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { streamAnswer } from '../../src/domain/chat/stream-answer.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { deleteDocument } from '../../src/domain/knowledge/delete-documents.ts';
import { embeddingInput } from '../../src/domain/knowledge/ingestion/chunk-terms.ts';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { getUsage, type Usage } from '../../src/domain/usage/usage.ts';
import { newId } from '../../src/platform/ids.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';
import { waitUntil } from '../support/wait-until.ts';

const question = 'Until when is check-out?';
const sauna = 'The sauna opens at 16:00.';
const page = 'Check-out is until 11:00. Late check-out costs 20 euros an hour.';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant({ plan: 'free' });
});

const usage = (): Promise<Usage> =>
  getUsage(service.system, { organizationId: tenant.organizationId });

function ask(conversationId?: string) {
  const { projectId } = tenant;
  return sendMessage(service.system, {
    projectId,
    message: question,
    conversationId: conversationId ?? null,
  });
}

async function setLimits(limits: {
  monthlyMessages?: number;
  storageBytes?: number;
}): Promise<void> {
  await service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: limits,
  });
}

async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const call of await Promise.allSettled(calls)) {
    const name =
      call.status === 'fulfilled' ? 'ok' : String(Reflect.get(Object(call.reason), 'code'));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('messages', () => {
  test('the last message of the allowance goes to one of 200 concurrent calls', async () => {
    await setLimits({ monthlyMessages: 1 });
    expect(await outcomes(Array.from({ length: 200 }, () => ask()))).toEqual({
      ok: 1,
      QUOTA_EXCEEDED: 199,
    });
    expect((await usage()).messages).toEqual({ used: 1, limit: 1, remaining: 0 });
    expect(
      await service.system.db.conversation.count({ where: { projectId: tenant.projectId } }),
    ).toBe(1);
  });

  test('concurrent calls in one conversation use exactly the remaining allowance, without gaps in the transcript', async () => {
    const { conversationId } = await ask();
    await setLimits({ monthlyMessages: 11 });
    expect(await outcomes(Array.from({ length: 40 }, () => ask(conversationId)))).toEqual({
      ok: 10,
      QUOTA_EXCEEDED: 30,
    });
    const messages = await service.system.db.message.findMany({
      where: { conversationId, projectId: tenant.projectId },
      orderBy: { position: 'asc' },
    });
    expect(messages.map(({ position }) => position)).toEqual(
      Array.from({ length: 22 }, (_, n) => n + 1),
    );
    expect(messages.map(({ role }) => role).join(' ')).toBe('USER ASSISTANT '.repeat(11).trim());
    const moments = messages.map(({ createdAt }) => createdAt.getTime());
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    const conversation = await service.system.db.conversation.findUniqueOrThrow({
      where: { id: conversationId },
    });
    expect(conversation.messageCount).toBe(22);
  });

  test('a message above the allowance is not stored', async () => {
    await setLimits({ monthlyMessages: 0 });
    await expect(ask()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(
      await service.system.db.conversation.count({ where: { projectId: tenant.projectId } }),
    ).toBe(0);
    expect((await usage()).messages).toEqual({ used: 0, limit: 0, remaining: 0 });
  });

  test('an unknown conversation is reported before an exhausted allowance', async () => {
    await setLimits({ monthlyMessages: 0 });
    await expect(ask(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a message is refunded if its answer fails, and its tokens remain counted', async () => {
    await addDocuments(service, tenant.projectId, { 'Check-out.md': page });
    const before = await usage();
    models.script({ deltas: ['Until'], finishReason: null });
    const { projectId } = tenant;
    await expect(
      sendMessage(service.system, { projectId, message: question }),
    ).rejects.toMatchObject({
      code: 'MODEL_ERROR',
    });
    const after = await usage();
    expect(after.messages.used).toBe(0);
    expect(after.tokens.embedding).toBeGreaterThan(before.tokens.embedding);
  });

  test('the tokens of an answer that fails or is stopped are counted', async () => {
    await addDocuments(service, tenant.projectId, { 'Check-out.md': page });
    const { projectId } = tenant;
    const before = await usage();
    models.script({ deltas: ['Until ', 'eleven ', 'o’clock '], finishReason: null });
    await expect(sendMessage(service.system, { projectId, message: question })).rejects.toThrow();
    const failed = await usage();
    expect(failed.tokens.input).toBeGreaterThan(before.tokens.input + 20);
    expect(failed.tokens.output).toBeGreaterThanOrEqual(before.tokens.output + 3);

    models.script({ deltas: ['Until ', 'eleven ', 'o’clock '], end: 'stall' });
    const leaving = new AbortController();
    const context = { ...service.system, signal: leaving.signal };
    for await (const event of await streamAnswer(context, { projectId, message: question })) {
      if (event.type === 'delta') leaving.abort();
    }
    const stopped = await usage();
    expect(stopped.tokens.input).toBeGreaterThan(failed.tokens.input + 20);
    expect(stopped.tokens.output).toBeGreaterThan(failed.tokens.output);
  });

  test('the tokens of an answer whose process dies are counted, and its message is free within a minute', async () => {
    const { messageId } = await ask();
    const before = await usage();
    await service.system.db.message.update({
      where: { id: messageId },
      data: {
        status: 'GENERATING',
        leaseRenewedAt: new Date(Date.now() - 41_000),
        ...{ inputTokens: 70, outputTokens: 8, embeddingTokens: 9 },
      },
    });
    // On a shared database, every service runs this sweeper. On the embedded database, it runs when the service starts.
    const sweeper = startOrphanSweeper(service.adapters, { sweepMs: 50, settleMs: 15_000 });
    try {
      await waitUntil(async () => (await usage()).messages.used === 0, { timeoutMs: 30_000 });
    } finally {
      sweeper.stop();
    }
    const after = await usage();
    expect(after.tokens.input).toBe(before.tokens.input + 70);
    expect(after.tokens.output).toBe(before.tokens.output + 8);
    expect(after.tokens.embedding).toBe(before.tokens.embedding + 9);
  });

  test('a message is refunded if the process dies while answering', async () => {
    const { messageId } = await ask();
    await service.system.db.message.update({
      where: { id: messageId },
      data: { status: 'GENERATING', leaseRenewedAt: new Date(0) },
    });
    await failOrphanedAnswers(service.adapters);
    await failOrphanedAnswers(service.adapters);
    expect((await usage()).messages.used).toBe(0);
  });

  test('the period is the calendar month in UTC, and the previous month is not counted', async () => {
    await ask();
    const { system } = service;
    await system.db.$executeRaw`
      update grounded.usage_periods set starts_on = (starts_on - interval '1 month')::date
      where organization_id = ${tenant.organizationId}::uuid`;
    const { period, messages } = await usage();
    const now = new Date();
    expect(period.start).toEqual(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())));
    expect(period.end).toEqual(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)));
    expect(messages).toEqual({ used: 0, limit: 500, remaining: 500 });
  });
});

describe('storage', () => {
  const create = (content: string) =>
    createDocument(service.system, { projectId: tenant.projectId, name: 'Note.txt', content });

  test('concurrent uploads use exactly the free storage', async () => {
    await setLimits({ storageBytes: 1000 });
    expect(await outcomes(Array.from({ length: 30 }, () => create('x'.repeat(300))))).toEqual({
      ok: 3,
      QUOTA_EXCEEDED: 27,
    });
    expect((await usage()).storage).toEqual({ usedBytes: 900, limitBytes: 1000 });
    expect(await storedBytes()).toBe(900);
    await create('x'.repeat(100));
    await expect(create('x')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('a deleted document frees its bytes once, however often it is deleted', async () => {
    const { id } = await create('x'.repeat(400));
    await create('x'.repeat(50));
    const { projectId } = tenant;
    const deletes = Array.from({ length: 10 }, () =>
      deleteDocument(service.system, { projectId, id }),
    );
    expect(await outcomes(deletes)).toEqual({ ok: 1, NOT_FOUND: 9 });
    expect((await usage()).storage.usedBytes).toBe(50);
    expect(await storedBytes()).toBe(50);
  });

  async function storedBytes(): Promise<number> {
    const { _sum } = await service.system.db.document.aggregate({
      where: { projectId: tenant.projectId },
      _sum: { sizeBytes: true },
    });
    return Number(_sum.sizeBytes);
  }
});

test('the counters are the sum of concurrent documents, searches, answers, failures and deletions', async () => {
  const { projectId } = tenant;
  const documents = await addDocuments(service, projectId, {
    'A.md': page,
    'B.md': sauna,
  });
  // Fills the sentence cache, so that the next searches embed no sentences.
  await searchKnowledge(service.system, { projectId, query: question });
  const work = Array.from({ length: 30 }, async (_, n) => {
    if (n % 3 === 0) await searchKnowledge(service.system, { projectId, query: question });
    else await ask();
  });
  await Promise.all(work);
  const first = documents.find(({ name }) => name === 'A.md');
  if (first === undefined) throw new Error('no document');
  await deleteDocument(service.system, { projectId, id: first.id });

  const { messages, storage, tokens } = await usage();
  const answers = await service.system.db.message.aggregate({
    where: { projectId, role: 'ASSISTANT', status: { in: ['COMPLETED', 'STOPPED'] } },
    _count: true,
    _sum: { inputTokens: true, outputTokens: true, embeddingTokens: true },
  });
  expect(messages.used).toBe(20);
  expect(messages.used).toBe(answers._count);
  expect(storage.usedBytes).toBe(sauna.length);
  expect(tokens.input).toBe(answers._sum.inputTokens);
  expect(tokens.output).toBe(answers._sum.outputTokens);
  expect(tokens.input).toBeGreaterThan(0);
  expect(tokens.output).toBeGreaterThan(0);

  const embedding = service.adapters.models.configuredEmbedding;
  const inDocuments = await embeddedTokens();
  const inQuestion = (await embedding.embed([question])).tokens;
  expect(answers._sum.embeddingTokens).toBe(20 * inQuestion);
  // Each document has one passage. Its text is embedded twice: as a chunk, and as a sentence in the first search.
  expect(tokens.embedding).toBe(2 * inDocuments + 31 * inQuestion);
  expect(tokens.total).toBe(tokens.input + tokens.output + tokens.embedding);

  /** Returns the number of tokens that the model counts in the texts of both documents. */
  async function embeddedTokens(): Promise<number> {
    const passages = { 'A.md': page, 'B.md': sauna };
    const { tokens: counted } = await embedding.embed(
      Object.entries(passages).map(([name, content]) =>
        embeddingInput(name, { context: '', content }),
      ),
    );
    return counted;
  }
});
