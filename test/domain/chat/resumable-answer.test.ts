import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAnswerDraft, emptyDraft } from '../../../src/domain/chat/answer-draft.ts';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { failOrphanedAnswers } from '../../../src/domain/chat/finalize-turn.ts';
import { removeAnswerEventsJob } from '../../../src/domain/chat/runs/answer-events.ts';
import { createAnswerLeaseRenewer } from '../../../src/domain/chat/runs/answer-lease-renewer.ts';
import { createRunningAnswerRegistry } from '../../../src/domain/chat/runs/create-running-answers.ts';
import { startOrphanSweeper } from '../../../src/domain/chat/runs/orphan-sweeper.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import type { Context } from '../../../src/domain/context.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { runRemoval } from '../../support/run-removal.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';
import { waitUntil } from '../../support/wait-until.ts';

const message = 'Until when is check-out?';
const nowhere = '01980a3c-0000-7000-8000-000000000000';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, { 'Check-out.md': 'Check-out is until 11:00.' });
});
afterAll(() => service?.stop());

/** Returns a context with its own registry of running answers. Its statements pass through `intercept`. */
function contextWith(intercept: (name: string | undefined) => Promise<void>): Context {
  const { pool, log } = service.adapters;
  const intercepted = new Proxy(pool, {
    get(target: Pool, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async (statement: QueryConfig) => {
        await intercept(statement.name);
        return target.query(statement);
      };
    },
  });
  return {
    ...service.system,
    runningAnswers: createRunningAnswerRegistry({ pool: intercepted, log }),
  };
}

const ask = (context: Context, more: object = { resumable: true }) =>
  streamAnswer(context, { projectId, message, ...more });

async function collect(
  events: AsyncIterable<ChatEvent> | Promise<AsyncIterable<ChatEvent>>,
): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of await events) all.push(event);
  return all;
}

/** Starts an answer and reads only its meta event. */
async function begin(context: Context, more?: object) {
  const events = await ask(context, more);
  const { value } = await events.next();
  if (value?.type !== 'meta') throw new Error('no meta');
  return { events, messageId: value.messageId };
}

async function storedEvents(messageId: string): Promise<ChatEvent[]> {
  const { rows } = await service.adapters.pool.query<{ event: ChatEvent }>(
    'select event from grounded.answer_events where message_id = $1 order by seq',
    [messageId],
  );
  return rows.map(({ event }) => event);
}

function storedMessage(id: string) {
  return service.system.db.message.findFirstOrThrow({ where: { id, projectId } });
}

async function waitForStatus(messageId: string, status: string): Promise<void> {
  await waitUntil(async () => (await storedMessage(messageId)).status === status);
}

describe('the events of a resumable answer', () => {
  test('are stored during generation, many per statement', async () => {
    let statements = 0;
    let events = 0;
    const context = contextWith(async (name) => {
      if (name === 'store-answer-events') statements += 1;
    });
    const deltas = Array.from({ length: 100 }, (_, n) => `word${n} `);
    const reply = { deltas, delayMs: 5, end: 'stall' as const };
    models.script(...Array.from({ length: 10 }, () => reply));
    const begun = await Promise.all(Array.from({ length: 10 }, () => begin(context)));
    for (const { messageId } of begun) {
      await waitUntil(async () =>
        JSON.stringify(await storedEvents(messageId)).includes('word98 '),
      );
      events += (await storedEvents(messageId)).length;
    }
    expect(events / statements).toBeGreaterThan(4);
    await context.runningAnswers.stop();
  });

  test('are sent on time even if they cannot be stored, and are stored at the end', async () => {
    let failures = 0;
    const context = contextWith(async (name) => {
      if (name !== 'store-answer-events') return;
      failures += 1;
      throw new Error('no database');
    });
    models.script({ deltas: ['Until ', '11:00 ', 'or ', 'so.'], delayMs: 150 });
    const events = await collect(ask(context));
    expect(failures).toBeGreaterThan(0);
    const [meta] = events;
    if (meta?.type !== 'meta') throw new Error('no meta');
    expect(await storedEvents(meta.messageId)).toEqual(events);
  });

  test('are not stored if nobody may read them', async () => {
    models.script({ deltas: ['Until ', '11:00.'], delayMs: 150 });
    const [meta] = await collect(ask(service.system, {}));
    if (meta?.type !== 'meta') throw new Error('no meta');
    expect(await storedEvents(meta.messageId)).toEqual([]);
  });

  test('are deleted some time after its end, and no others', async () => {
    const answers = await Promise.all(
      ['00:14:00', '00:16:00'].map(async (age) => {
        models.script({ deltas: ['Until ', '11:00.'] });
        const [meta] = await collect(ask(service.system));
        if (meta?.type !== 'meta') throw new Error('no meta');
        const { pool } = service.adapters;
        await pool.query(
          'update grounded.answer_events set created_at = now() - $2::interval where message_id = $1',
          [meta.messageId, '01:00:00'],
        );
        await pool.query(
          'update grounded.messages set lease_renewed_at = now() - $2::interval where id = $1',
          [meta.messageId, age],
        );
        return meta.messageId;
      }),
    );
    await service.adapters.queue.enqueue(service.system.db, removeAnswerEventsJob, {});
    const counts = async () =>
      (await Promise.all(answers.map(storedEvents))).map(({ length }) => length > 0);
    await waitUntil(async () => !(await counts())[1], { timeoutMs: 20_000 });
    expect(await counts()).toEqual([true, false]);
    await expect(
      runRemoval(removeAnswerEventsJob, service.adapters, AbortSignal.abort()),
    ).rejects.toThrow();
  });
});

test('an answer does not wait for its reader', async () => {
  models.script({ deltas: ['Until ', '11:00.'] });
  const { events, messageId } = await begin(service.system, {});
  await waitForStatus(messageId, 'COMPLETED');
  expect((await collect(events)).at(-1)).toMatchObject({ type: 'done', reply: { messageId } });
});

test('a resumable answer that cannot start returns the reason', async () => {
  const refused = collect(ask(service.system, { resumable: true, conversationId: nowhere }));
  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each([true, false])(
  'an answer that another process considers dead ends with an error for its reader (resumable: %s)',
  async (resumable) => {
    models.script({ deltas: ['Until ', '11:00 ', 'or ', 'so.'], delayMs: 100 });
    const { events, messageId } = await begin(service.system, { resumable });
    await failOrphanedAnswers(service.adapters, { afterSeconds: 0, messageId });
    expect((await collect(events)).at(-1)).toMatchObject({
      type: 'error',
      code: 'UNAVAILABLE',
      retryable: true,
    });
    expect((await storedMessage(messageId)).status).toBe('FAILED');
  },
);

test('one thousand resumable answers can run at once, and any number of others', async () => {
  const answers = createRunningAnswerRegistry(service.adapters);
  const forever = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  for (let count = 0; count < 1_000; count += 1) answers.start(true, forever);
  expect(() => answers.start(true, forever)).toThrow('Too many resumable answers');
  answers.start(false, forever);
  await answers.stop();
  expect(answers.start(true, forever).isResumable).toBe(true);
  await answers.stop();
});

test('after an outage of the database, processes may renew their leases before answers are failed', async () => {
  const statements: string[] = [];
  const pool = {
    async query(statement: string | QueryConfig) {
      statements.push(typeof statement === 'string' ? statement : 'fail orphaned answers');
      if (statements.length === 1) throw new Error('no database');
      return { rows: [] };
    },
  };
  const { log } = service.adapters;
  const timing = { sweepMs: 10, settleMs: 300 };
  const sweeper = startOrphanSweeper({ pool: pool as unknown as Pool, log }, timing);
  try {
    await waitUntil(() => statements.filter((text) => text !== 'select 1').length > 1);
  } finally {
    sweeper.stop();
  }
  expect(statements[1]).toBe('select 1');
});

describe('the lease renewal of a process', () => {
  const timing = { pollMs: 10, storeMs: 20, renewMs: 50 };
  const run = () => ({ stop: vi.fn(), abort: vi.fn() });

  async function running(): Promise<string> {
    models.script({ deltas: ['Until '] });
    const { messageId } = await begin(service.system);
    await waitForStatus(messageId, 'COMPLETED');
    await service.system.db.message.update({
      where: { id: messageId },
      data: { status: 'GENERATING', leaseRenewedAt: new Date(Date.now() - 25_000) },
    });
    return messageId;
  }

  const readTrace = () => null;

  test('renews the leases of its answers, stops answers on request, and ends lost ones', async () => {
    const [alive, stopped, lost] = [await running(), await running(), await running()];
    const answers = new Map(
      [alive, stopped, lost].map((id) => [id, { run: run(), draft: emptyDraft, readTrace }]),
    );
    const { db } = service.system;
    await db.message.update({ where: { id: stopped }, data: { stopRequestedAt: new Date() } });
    await failOrphanedAnswers(service.adapters, { messageId: lost, afterSeconds: 0 });
    createAnswerLeaseRenewer(service.adapters, answers, timing).start();
    await waitUntil(() => answers.get(lost)?.run.abort.mock.calls.length);
    expect(answers.get(lost)?.run.abort).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    );
    expect(answers.get(stopped)?.run.stop).toHaveBeenCalled();
    expect(answers.get(alive)?.run.stop).not.toHaveBeenCalled();
    expect(answers.get(alive)?.run.abort).not.toHaveBeenCalled();
    await waitUntil(async () => {
      const { leaseRenewedAt } = await storedMessage(alive);
      return Date.now() - Number(leaseRenewedAt) < 20_000;
    });
    answers.clear();
  });

  test('stores the text and tokens so far of all answers in one statement, and only if they changed', async () => {
    const ids = [await running(), await running()];
    const drafts = ids.map(() => createAnswerDraft());
    const answers = new Map(
      ids.map((id, index) => [
        id,
        { run: run(), draft: drafts[index]?.draft ?? emptyDraft, readTrace },
      ]),
    );
    let polls = 0;
    let stores = 0;
    const { pool, log } = service.adapters;
    const counting = new Proxy(pool, {
      get(target: Pool, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return (statement: QueryConfig) => {
          polls += 1;
          if (statement.name === 'store-answer-progress') stores += 1;
          return target.query(statement);
        };
      },
    });
    for (const { record } of drafts) {
      record({ type: 'delta', text: 'Until eleven' });
      record({ type: 'progress', usage: { inputTokens: 70, outputTokens: 0 } });
    }
    const rare = { pollMs: 10, storeMs: 20, renewMs: 600_000 };
    createAnswerLeaseRenewer({ pool: counting, log }, answers, rare).start();
    for (const id of ids) {
      await waitUntil(async () => (await storedMessage(id)).content === 'Until eleven');
      const { inputTokens, outputTokens } = await storedMessage(id);
      expect(inputTokens).toBe(70);
      expect(outputTokens).toBeGreaterThan(1);
    }
    // The service stores texts at the latest at every third poll.
    const before = polls;
    await waitUntil(() => polls >= before + 20);
    answers.clear();
    expect(stores).toBe(1);
  });

  /** Returns a lease renewer whose database calls fail, and the number of these calls. */
  function createFailingRenewer() {
    const counted = {
      beats: 0,
      answers: new Map([[nowhere, { run: run(), draft: emptyDraft, readTrace }]]),
    };
    const query = async () => {
      counted.beats += 1;
      throw new Error('no database');
    };
    const pool = new Proxy(service.adapters.pool, {
      get: (target: Pool, name) => (name === 'query' ? query : Reflect.get(target, name)),
    });
    const leaseRenewer = createAnswerLeaseRenewer(
      { pool, log: service.adapters.log },
      counted.answers,
      timing,
    );
    return { counted, start: leaseRenewer.start };
  }

  test('continues after a failure, and pauses while no answer is running', async () => {
    const [resting, beating] = [createFailingRenewer(), createFailingRenewer()];
    resting.start();
    await waitUntil(() => resting.counted.beats >= 3);
    resting.counted.answers.clear();
    const { beats } = resting.counted;
    beating.start();
    await waitUntil(() => beating.counted.beats >= 10);
    beating.counted.answers.clear();
    expect(resting.counted.beats).toBeLessThanOrEqual(beats + 1);

    resting.counted.answers.set(nowhere, { run: run(), draft: emptyDraft, readTrace });
    resting.start();
    await waitUntil(() => resting.counted.beats > beats + 1);
    resting.counted.answers.clear();
  });
});
