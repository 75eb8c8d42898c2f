import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { Context } from '../../src/domain/context.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import {
  type ClaimResult,
  claimIdempotencyKey,
  type IdempotencyClaim,
  maxStoredBytes,
} from '../../src/domain/idempotency/claim-idempotency-key.ts';
import {
  releaseRunningIdempotencyKeys,
  removeExpiredIdempotencyKeysJob,
} from '../../src/domain/idempotency/expired-idempotency-keys.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { serverUrl } from '../support/database/database.ts';
import { runRemoval } from '../support/run-removal.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let keyId: string;
let idempotencyKey: string;

beforeAll(async () => {
  service = await startTestService();
  const { organizationId, projectId } = await service.createTenant();
  const { apiKey } = await createApiKey(service.system, {
    organizationId,
    projectId,
    name: 'Front desk',
    scopes: ['CHAT'],
  });
  keyId = apiKey.id;
});
afterAll(() => service?.stop());
beforeEach(async () => {
  idempotencyKey = randomUUID();
  await service.adapters.pool.query('delete from grounded.idempotency_keys');
});

const answer = {
  status: 201,
  headers: { 'Content-Type': 'application/json', Location: '/documents/1' },
  body: '{"name":"Stra\u00dfe \u{1f411} \\u0000 \\" \u2028"}',
};

function claim(context: Pick<Context, 'pool' | 'log'> = service.adapters, text = 'request') {
  const fingerprint = createHash('sha256').update(text).digest();
  return claimIdempotencyKey(context, { keyId, idempotencyKey, fingerprint });
}

async function expectClaimed(state: Promise<ClaimResult>): Promise<IdempotencyClaim> {
  const found = await state;
  if (found.type !== 'CLAIMED') throw new Error('the key was not free');
  return found.claim;
}

async function secondsLeft(): Promise<number | null> {
  const { rows } = await service.adapters.pool.query(
    `select extract(epoch from expires_at - now())::float as seconds from grounded.idempotency_keys
     where idempotency_key = $1`,
    [idempotencyKey],
  );
  return rows[0]?.seconds ?? null;
}

async function expireIn(seconds: number): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.idempotency_keys set expires_at = now() + make_interval(secs => $2)
     where idempotency_key = $1`,
    [idempotencyKey, seconds],
  );
}

/**
 * Resolves when a statement is waiting for a lock. On the embedded database, resolves immediately, because it runs
 * transactions one after another.
 */
async function waitForBlockedStatement(): Promise<void> {
  if (serverUrl() === undefined) return;
  await vi.waitFor(async () => {
    const { rowCount } = await service.ownerPool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  }, 15_000);
}

describe('a key', () => {
  test('is claimed by one of 50 concurrent requests', async () => {
    const states = await Promise.allSettled(Array.from({ length: 50 }, () => claim()));
    const granted = states.filter(({ status }) => status === 'fulfilled');
    expect(granted).toHaveLength(1);
    for (const state of states) {
      if (state.status === 'rejected') {
        expect(state.reason).toMatchObject({
          code: 'IDEMPOTENCY_KEY_IN_USE',
          retryable: true,
          retryAfterSeconds: 1,
        });
      }
    }
  });

  test('returns the stored response, byte for byte, for 24 hours', async () => {
    await (await expectClaimed(claim())).store(answer);
    expect(await secondsLeft()).toBeCloseTo(24 * 3600, -1);
    await expireIn(5);
    expect(await claim()).toEqual({ type: 'ANSWERED', answer });
    await expect(claim(service.adapters, 'another')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      retryable: false,
    });
    await expireIn(0);
    await expectClaimed(claim(service.adapters, 'another'));
    await expect(claim(service.adapters, 'another')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
  });

  test('whose response has expired does not return it while another request takes over the key', async () => {
    await (await expectClaimed(claim())).store(answer);
    await expireIn(0);
    const taker = await service.adapters.pool.connect();
    await taker.query('begin');
    await taker.query(
      `update grounded.idempotency_keys set expires_at = now() + interval '1 minute',
         status = null, headers = null, body = null
       where idempotency_key = $1`,
      [idempotencyKey],
    );
    const late = expect(claim()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    await waitForBlockedStatement();
    await taker.query('commit');
    taker.release();
    await late;
  });

  test('is free again after it is released or its claim is abandoned', async () => {
    await (await expectClaimed(claim())).release();
    {
      await using again = await expectClaimed(claim(service.adapters, 'another'));
      expect(again).toBeDefined();
    }
    expect(await secondsLeft()).toBeNull();
    await expectClaimed(claim());
  });

  test('keeps its response if its claim is abandoned after storing', async () => {
    {
      await using first = await expectClaimed(claim());
      await first.store(answer);
      await first.release();
    }
    expect((await claim()).type).toBe('ANSWERED');
  });

  test('is released instead of storing a response above the size limit', async () => {
    const body = 'x'.repeat(maxStoredBytes);
    await (await expectClaimed(claim())).store({ ...answer, body });
    expect(await claim()).toMatchObject({ type: 'ANSWERED' });
    idempotencyKey = randomUUID();
    await (await expectClaimed(claim())).store({ ...answer, body: `${body}x` });
    expect(await secondsLeft()).toBeNull();
  });
});

describe('the lease of a claim', () => {
  test('lasts one minute, then the next request takes over', async () => {
    const dead = await expectClaimed(claim());
    expect(await secondsLeft()).toBeCloseTo(60, -1);
    await expireIn(0);
    const next = await expectClaimed(claim(service.adapters, 'another'));
    await dead.store(answer);
    await dead.release();
    await expect(claim(service.adapters, 'another')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
    await next.store({ ...answer, body: 'of the next' });
    expect(await claim(service.adapters, 'another')).toMatchObject({
      answer: { body: 'of the next' },
    });
  });

  test('is renewed every 20 seconds while the request runs, and not afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const running = await expectClaimed(claim());
      await expireIn(1);
      vi.advanceTimersByTime(20_000);
      await waitUntil(async () => ((await secondsLeft()) ?? 0) > 50);
      await running.store(answer);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a database failure at the end is logged and does not fail the request', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const pool = new pg.Pool({ connectionString: service.database.url });
  const running = await expectClaimed(claim({ pool, log }));
  await pool.end();
  await running.store(answer);
  expect(lines.join()).toContain('failed to store');
  await expect(claim()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
});

test('a request whose key another process has taken over stores nothing', async () => {
  const { claimedKey } = await expectClaimed(claim());
  await expireIn(0);
  await expectClaimed(claim());
  const { projectId } = await service.createTenant();
  const stalled = { ...service.system, claimedKey };
  const error = { code: 'IDEMPOTENCY_KEY_IN_USE' };
  const document = { projectId, name: 'Hours', content: 'At nine.' };
  await expect(createDocument(stalled, document)).rejects.toMatchObject(error);
  const chat = { projectId, message: 'When?' };
  await expect(sendMessage(stalled, chat)).rejects.toMatchObject(error);
  const { db } = service.system;
  expect(await db.document.count({ where: { projectId } })).toBe(0);
  const conversation = await sendMessage(service.system, chat);
  await expect(sendMessage(stalled, { ...chat, ...conversation })).rejects.toMatchObject(error);
  expect(await db.message.count({ where: { projectId } })).toBe(2);
  const { conversationId } = conversation;
  const handoff = requestHandoff(stalled, { projectId, conversationId });
  await expect(handoff).rejects.toMatchObject(error);
  expect(await db.handoff.count({ where: { projectId } })).toBe(0);
});

test('a start on an unshared database releases running keys and keeps responses', async () => {
  const stored = idempotencyKey;
  await (await expectClaimed(claim())).store(answer);
  idempotencyKey = randomUUID();
  await expectClaimed(claim());
  await releaseRunningIdempotencyKeys(service.adapters);
  await expectClaimed(claim());
  idempotencyKey = stored;
  expect((await claim()).type).toBe('ANSWERED');
});

describe('deleting expired keys', () => {
  test('deletes all of them and nothing else', async () => {
    await (await expectClaimed(claim())).store(answer);
    await service.adapters.pool.query(
      `insert into grounded.idempotency_keys (key_id, idempotency_key, fingerprint, runner, expires_at)
       select $1, n::text, sha256(''), gen_random_uuid(), now() - interval '1 second' from generate_series(1, 2500) n`,
      [keyId],
    );
    await runRemoval(removeExpiredIdempotencyKeysJob, service.adapters);
    const { rows } = await service.adapters.pool.query(
      'select idempotency_key as key from grounded.idempotency_keys',
    );
    expect(rows).toEqual([{ key: idempotencyKey }]);
  });

  test('stops when it is cancelled', async () => {
    await expect(
      runRemoval(removeExpiredIdempotencyKeysJob, service.adapters, AbortSignal.abort()),
    ).rejects.toThrow();
  });

  test('is a job, scheduled every hour', async () => {
    const { rows } = await service.adapters.pool.query(
      `select cron from grounded_jobs.schedule where name = 'remove-expired-idempotency-keys'`,
    );
    expect(rows).toEqual([{ cron: expect.stringMatching(/^\d+ \* \* \* \*$/) }]);
    await (await expectClaimed(claim())).store(answer);
    await expireIn(0);
    await service.adapters.queue.enqueue(service.system.db, removeExpiredIdempotencyKeysJob, {});
    await waitUntil(async () => (await secondsLeft()) === null);
  });
});
