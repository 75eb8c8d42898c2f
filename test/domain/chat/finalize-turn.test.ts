import { beforeEach, expect, test } from 'vitest';
import { emptyDraft } from '../../../src/domain/chat/answer-draft.ts';
import { type FinishedAnswer, finalizeTurn } from '../../../src/domain/chat/finalize-turn.ts';
import { startConversation } from '../../../src/domain/chat/start-conversation.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { recordingPool } from '../../support/database/recording-pool.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let context: Context;

beforeEach(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  const key = { type: 'key', keyId: crypto.randomUUID(), scopes: ['CHAT'], filter: null } as const;
  context = createContext(
    service.adapters,
    { ...key, organizationId: tenant.organizationId, projectId: tenant.projectId },
    { signal: new AbortController().signal, requestId: null },
  );
});

async function startAnswers(count: number): Promise<string[]> {
  const project = { id: tenant.projectId, organizationId: tenant.organizationId };
  const question = { message: 'Where is the lighthouse?', endUserId: null, isResumable: true };
  const started = await Promise.all(
    Array.from({ length: count }, () => startConversation(context, project, question)),
  );
  return started.map(({ turn }) => turn.messageId);
}

const answer = (changes: Partial<FinishedAnswer> = {}): FinishedAnswer => ({
  ...emptyDraft,
  status: 'COMPLETED',
  trace: null,
  content: 'On the cape.',
  confidence: 0.9,
  latencyMs: 100,
  usage: { inputTokens: 7, outputTokens: 2 },
  chatModel: 'large',
  searchTokens: [
    { model: 'small', kind: 'EMBEDDING', tokens: 2 },
    { model: 'small', kind: 'EMBEDDING', tokens: 1 },
    { model: 'reader', kind: 'RERANK', tokens: 5 },
  ],
  ...changes,
});

const noEvents = { seq: 0, events: [] };

function finalize(messageId: string, changes: Partial<FinishedAnswer> = {}, events = noEvents) {
  return finalizeTurn(context, { projectId: tenant.projectId, messageId }, answer(changes), events);
}

const readAnswer = (id: string) => service.system.db.message.findUniqueOrThrow({ where: { id } });

async function readCounters() {
  const { organizationId } = tenant;
  const read = async (sql: string) => (await service.system.pool.query(sql, [organizationId])).rows;
  const columns =
    'sum(messages)::int as messages, sum(input_tokens)::int as input, sum(output_tokens)::int as output, sum(embedding_tokens)::int as embedding';
  const [month] = await read(
    `select ${columns} from grounded.usage_periods where organization_id = $1`,
  );
  const [day] = await read(`select ${columns} from grounded.usage_days where organization_id = $1`);
  const [quality] = await read(
    'select sum(answers)::int as answers, sum(unsure)::int as unsure from grounded.answer_days where organization_id = $1',
  );
  const models = await read(
    'select model, kind, sum(tokens)::int as tokens from grounded.token_days where organization_id = $1 group by 1, 2 order by 1, 2',
  );
  return { month, day, quality, models };
}

test('answers that finish at the same time share statements, and each is stored and counted once', async () => {
  const ids = await startAnswers(40);
  const { pool, statements } = recordingPool(context.pool);
  context = { ...context, pool };
  const stored = await Promise.all(
    ids.map((id, n) => {
      const failed = n % 10 === 9 ? { status: 'FAILED' as const } : {};
      const intent = n % 10 === 8 ? { intent: 'GREETING' as const } : {};
      const changes = { content: `Answer ${n}`, confidence: n % 2 ? 0.9 : 0.1 };
      return finalize(id, { ...changes, ...failed, ...intent });
    }),
  );
  expect(stored.every(Boolean)).toBe(true);
  expect(statements.length).toBeLessThan(10);

  for (const [n, id] of ids.entries()) {
    expect(await readAnswer(id)).toMatchObject({
      content: `Answer ${n}`,
      status: n % 10 === 9 ? 'FAILED' : 'COMPLETED',
      intent: n % 10 === 8 ? 'GREETING' : null,
      ...{ confidence: n % 2 ? 0.9 : 0.1, latencyMs: 100, citations: [] },
      ...{ inputTokens: 7, outputTokens: 2, embeddingTokens: 3 },
    });
  }
  const tokens = { input: 280, output: 80, embedding: 120 };
  // Four answers failed and four were small talk. Every second answer was unsure, so two of the small talk were.
  expect(await readCounters()).toEqual({
    month: { messages: 36, ...tokens },
    day: { messages: 36, ...tokens },
    quality: { answers: 32, unsure: 16 },
    models: [
      { model: 'large', kind: 'INPUT', tokens: 280 },
      { model: 'large', kind: 'OUTPUT', tokens: 80 },
      { model: 'reader', kind: 'RERANK', tokens: 200 },
      { model: 'small', kind: 'EMBEDDING', tokens: 120 },
    ],
  });
});

test('events and citations of each answer are stored with it', async () => {
  const ids = await startAnswers(3);
  await Promise.all(
    ids.map((messageId, n) => {
      const event = { type: 'delta', text: `text ${n}` } as const;
      const events = { seq: n, events: [event, event] };
      return finalizeTurn(context, { projectId: tenant.projectId, messageId }, answer(), events);
    }),
  );
  for (const [n, id] of ids.entries()) {
    const { rows } = await service.system.pool.query(
      'select seq, event from grounded.answer_events where message_id = $1 order by seq',
      [id],
    );
    const event = { type: 'delta', text: `text ${n}` };
    expect(rows).toEqual([
      { seq: n, event },
      { seq: n + 1, event },
    ]);
  }
});

test('an answer that Postgres refuses does not fail the answers that share its statement', async () => {
  const ids = await startAnswers(5);
  const outcomes = await Promise.allSettled(
    ids.map((id, n) => finalize(id, n === 2 ? { content: 'a \u0000 b' } : {})),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
  const statuses = await Promise.all(ids.map(async (id) => (await readAnswer(id)).status));
  expect(statuses.filter((status) => status === 'COMPLETED')).toHaveLength(4);
  expect((await readCounters()).quality).toEqual({ answers: 4, unsure: 0 });
});

test.each(['57014', '55P03'])(
  'answers whose shared statement fails with the timeout %s are stored one after the other',
  async (code) => {
    const ids = await startAnswers(6);
    let running = 0;
    let maxRunning = 0;
    const { pool } = recordingPool(context.pool, async ({ values }, run) => {
      const [, messageIds] = values ?? [];
      if (Array.isArray(messageIds) && messageIds.length > 1) {
        throw Object.assign(new Error('timeout'), { code });
      }
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      return run().finally(() => {
        running -= 1;
      });
    });
    context = { ...context, pool };
    const [first = '', ...others] = ids;
    await finalize(first);
    expect(await Promise.all(others.map((id) => finalize(id)))).toEqual(others.map(() => true));
    expect(maxRunning).toBe(1);
    expect((await readCounters()).quality).toEqual({ answers: 6, unsure: 0 });
  },
);

test('an answer that is finalized already, or is of another project, is neither changed nor counted', async () => {
  const [first = '', second = ''] = await startAnswers(2);
  expect(await finalize(first)).toBe(true);
  const other = { projectId: crypto.randomUUID(), messageId: second };
  const outcomes = await Promise.all([
    finalize(first, { content: 'late' }),
    finalize(second),
    finalizeTurn(context, other, answer(), noEvents),
  ]);
  expect(outcomes).toEqual([false, true, false]);
  expect((await readAnswer(first)).content).toBe('On the cape.');
  expect((await readCounters()).month).toMatchObject({ messages: 2, input: 14 });
});
