import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import type { Context } from '../../src/domain/context.ts';
import {
  type Claim,
  claimKey,
  type KeyState,
  maxStoredBytes,
} from '../../src/domain/idempotency/claim-key.ts';
import {
  releaseRunningKeys,
  removeExpiredKeys,
} from '../../src/domain/idempotency/expired-keys.ts';
import { serverUrl } from '../support/database.ts';
import { startOpenAiServer } from '../support/openai-server.ts';
import { restClient } from '../support/rest-client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';

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
  return claimKey(context, { keyId, idempotencyKey, fingerprint });
}

async function claimed(state: Promise<KeyState>): Promise<Claim> {
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

/** Until a statement waits for another's lock. The embedded database lets one transaction wait for the other anyway. */
async function lockIsAwaited(): Promise<void> {
  if (serverUrl() === undefined) return;
  await vi.waitFor(async () => {
    const { rowCount } = await service.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  });
}

describe('a key', () => {
  test('is claimed by one of 50 requests at once', async () => {
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

  test('gives back what was stored, byte for byte, for 24 hours', async () => {
    await (await claimed(claim())).store(answer);
    expect(await secondsLeft()).toBeCloseTo(24 * 3600, -1);
    await expireIn(5);
    expect(await claim()).toEqual({ type: 'ANSWERED', answer });
    await expect(claim(service.adapters, 'another')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      retryable: false,
    });
    await expireIn(0);
    await claimed(claim(service.adapters, 'another'));
    await expect(claim(service.adapters, 'another')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
  });

  test('whose answer has expired does not give it again while another request takes the key over', async () => {
    await (await claimed(claim())).store(answer);
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
    await lockIsAwaited();
    await taker.query('commit');
    taker.release();
    await late;
  });

  test('is free again once it is released or its claim is left', async () => {
    await (await claimed(claim())).release();
    {
      await using again = await claimed(claim(service.adapters, 'another'));
      expect(again).toBeDefined();
    }
    expect(await secondsLeft()).toBeNull();
    await claimed(claim());
  });

  test('stays answered when its claim is left after that', async () => {
    {
      await using first = await claimed(claim());
      await first.store(answer);
      await first.release();
    }
    expect((await claim()).type).toBe('ANSWERED');
  });

  test('is released instead of keeping an answer above the limit', async () => {
    const body = 'x'.repeat(maxStoredBytes);
    await (await claimed(claim())).store({ ...answer, body });
    expect(await claim()).toMatchObject({ type: 'ANSWERED' });
    idempotencyKey = randomUUID();
    await (await claimed(claim())).store({ ...answer, body: `${body}x` });
    expect(await secondsLeft()).toBeNull();
  });
});

describe('the lease of a claim', () => {
  test('is a minute, and passes to the next request when it is over', async () => {
    const dead = await claimed(claim());
    expect(await secondsLeft()).toBeCloseTo(60, -1);
    await expireIn(0);
    const next = await claimed(claim(service.adapters, 'another'));
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

  test('is renewed every 20 seconds while the request runs, and not after', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const running = await claimed(claim());
      await expireIn(1);
      vi.advanceTimersByTime(20_000);
      await vi.waitUntil(async () => ((await secondsLeft()) ?? 0) > 50);
      await running.store(answer);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a database that is gone at the end is logged, and does not fail the request', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const pool = new pg.Pool({ connectionString: service.database.url });
  const running = await claimed(claim({ pool, log }));
  await pool.end();
  await running.store(answer);
  expect(lines.join()).toContain('could not be stored');
  await expect(claim()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
});

test('a start on a database that nobody else serves frees what was running and keeps answers', async () => {
  const stored = idempotencyKey;
  await (await claimed(claim())).store(answer);
  idempotencyKey = randomUUID();
  await claimed(claim());
  await releaseRunningKeys(service.adapters);
  await claimed(claim());
  idempotencyKey = stored;
  expect((await claim()).type).toBe('ANSWERED');
});

test.skipIf(serverUrl() !== undefined)(
  'a request whose process was killed can be sent again as soon as the service is back',
  { timeout: 120_000 },
  async () => {
    const models = await startOpenAiServer();
    const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-idempotency-'));
    const settings = {
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: models.baseUrl,
      CHAT_MODEL: 'stand-in',
    };
    let running = await startServiceProcess(settings);
    const secret = running.key ?? '';
    const client = () => restClient(`${running.url}/api/v1`, secret);
    const ask = () =>
      client().send('/chat', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'the key' },
        body: JSON.stringify({ message: 'Which files can I upload?' }),
      });
    try {
      await vi.waitUntil(async () => {
        const { data } = await (await client().get('/knowledge/documents')).json();
        return data.some(({ status }: { status: string }) => status === 'READY');
      }, 20_000);
      models.script({ deltas: ['You can upload '], end: 'stall' });
      const lost = ask().catch(() => null);
      await models.request(0);
      expect((await ask()).status).toBe(409);
      await running.kill();
      expect(await lost).toBeNull();
      running = await startServiceProcess(settings);
      const again = await ask();
      expect(again.status).toBe(200);
      expect(again.headers.has('Idempotent-Replayed')).toBe(false);
    } finally {
      await running.kill();
      await models.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

describe('removing expired keys', () => {
  test('removes all of them, and nothing else', async () => {
    await (await claimed(claim())).store(answer);
    await service.adapters.pool.query(
      `insert into grounded.idempotency_keys (key_id, idempotency_key, fingerprint, runner, expires_at)
       select $1, n::text, sha256(''), gen_random_uuid(), now() - interval '1 second' from generate_series(1, 2500) n`,
      [keyId],
    );
    await removeExpiredKeys(service.adapters, new AbortController().signal);
    const { rows } = await service.adapters.pool.query(
      'select idempotency_key as key from grounded.idempotency_keys',
    );
    expect(rows).toEqual([{ key: idempotencyKey }]);
  });

  test('stops when it is told to', async () => {
    await expect(removeExpiredKeys(service.adapters, AbortSignal.abort())).rejects.toThrow();
  });

  test('is a job, ordered every hour', async () => {
    const { rows } = await service.adapters.pool.query(
      `select cron from grounded_jobs.schedule where name = 'remove-expired-idempotency-keys'`,
    );
    expect(rows).toEqual([{ cron: expect.stringMatching(/^\d+ \* \* \* \*$/) }]);
    await (await claimed(claim())).store(answer);
    await expireIn(0);
    await service.adapters.queue.enqueue(service.system.db, 'remove-expired-idempotency-keys', {});
    await vi.waitUntil(async () => (await secondsLeft()) === null, { timeout: 15_000 });
  });
});
