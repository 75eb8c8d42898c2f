import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromReplica } from '../../src/domain/context.ts';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { noTenant, type Tenant } from '../../src/platform/tenancy/tenant.ts';
import { restClient } from '../support/api/rest-client.ts';
import { captureLog } from '../support/captured-log.ts';
import { databaseSettings, serverUrl } from '../support/database/database.ts';
import {
  type ReplicatedDatabase,
  startReplicatedDatabase,
} from '../support/database/replicated-database.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { parseScrape } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const rounds = 50;

describe.skipIf(serverUrl() === undefined)('read replicas', { timeout: 120_000 }, () => {
  let database: ReplicatedDatabase;
  const log = captureLog();
  /** This process ingests documents. Like every process, it also answers requests. */
  let service: TestService;
  /** A second API process. */
  let other: ServiceProcess;
  let tenant: Awaited<ReturnType<TestService['createTenant']>>;
  let secret: string;

  beforeAll(async () => {
    database = await startReplicatedDatabase();
    service = await startTestService({
      log: log.log,
      database: database.primary,
      databaseReplicas: [{ databaseUrl: database.urls.replica, usesTransactionPooler: false }],
    });
    other = await startServiceProcess({
      ROLE: 'api',
      ...databaseSettings(database.primary),
      DATABASE_REPLICA_URLS: database.urls.replica,
      DATA_DIR: join(service.filesDirectory, '..'),
    });
    tenant = await service.createTenant();
    secret = await tenant.key();
    await untilServed();
  }, 120_000);

  afterAll(async () => {
    await other?.stop();
    await service?.stop();
    await database?.drop();
  });

  const clientOf = (url: string) => restClient(`${url}/api/v1`, secret);
  const here = () => clientOf(service.url);
  const there = () => clientOf(other.url);
  const reads = async (result: string, url = service.url) =>
    parseScrape(await (await fetch(`${url}/metrics`)).text()).value(
      'grounded_chat_replica_reads_total',
      { result },
    );
  const search = (query: string, client = here()) =>
    client.post('/knowledge/search', { query, limit: 3 });
  const namesOf = async (response: Promise<Response>): Promise<string[]> => {
    const { results } = await (await response).json();
    return results.map((result: { documentName: string }) => result.documentName);
  };

  /** Waits until a replica has answered a search of each of the two processes. */
  async function untilServed() {
    for (const [client, url] of [
      [here(), service.url],
      [there(), other.url],
    ] as const) {
      const before = await reads('served', url);
      const isServed = async () => {
        expect((await search('warm up', client)).status).toBe(200);
        return (await reads('served', url)) > before;
      };
      await waitUntil(isServed, { timeoutMs: 45_000, intervalMs: 200 });
    }
  }

  test('a document that is ready is found by the next search on another process', async () => {
    const before = await reads('served', other.url);
    for (let round = 0; round < rounds; round += 1) {
      const word = `zephyr${round}quartz`;
      await addDocuments(service, tenant.projectId, { [`${word}.md`]: `The code is ${word}.` });
      expect(await namesOf(search(word, there()))).toContain(`${word}.md`);
      expect(await namesOf(search(word))).toContain(`${word}.md`);
    }
    expect((await reads('served', other.url)) - before).toBeGreaterThan(rounds / 2);
  });

  test('a document is found by the next search while the replica lags for a fraction of a second', async () => {
    const setDelay = (delay: string) =>
      database.run('replica', `alter system set recovery_min_apply_delay = '${delay}'`);
    await setDelay('150ms');
    await database.run('replica', 'select pg_reload_conf()');
    try {
      for (let round = 0; round < rounds / 2; round += 1) {
        const word = `cobalt${round}meadow`;
        await addDocuments(service, tenant.projectId, { [`${word}.md`]: `The code is ${word}.` });
        expect(await namesOf(search(word, there()))).toContain(`${word}.md`);
      }
      expect(await reads('behind', other.url)).toBeGreaterThan(0);
    } finally {
      await setDelay('0');
      await database.run('replica', 'select pg_reload_conf()');
    }
    await untilServed();
  });

  test.each([
    ['lists of documents', '/knowledge/documents'],
    ['lists of conversations', '/conversations'],
    ['lists of handoffs', '/handoffs'],
    ['unanswered questions', '/insights/unanswered'],
    ['usage figures', '/usage'],
  ])('%s are read from a replica', async (_, path) => {
    const before = await reads('served');
    // While the service writes, the replica may be some milliseconds behind. Then the primary answers.
    await waitUntil(async () => {
      expect((await here().get(path)).status).toBe(200);
      return (await reads('served')) > before;
    });
  });

  test('fields of a GraphQL query are read from a replica, and nothing is written there', async () => {
    const query = `query ($id: ID!) {
      project(id: $id) { documents(first: 1) { edges { node { id } } } }
      analytics(projectId: $id) { current { answers } }
      explainSearch(projectId: $id, query: "When does the lighthouse open?") { confidence }
    }`;
    const send = async () => {
      const body = { query, variables: { id: tenant.projectId } };
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${operator}` },
        body: JSON.stringify(body),
      });
      expect(await response.json()).toEqual({ data: expect.anything() });
    };
    const operator = await service.token({ role: 'service_role' });
    const [served, failed] = [await reads('served'), await reads('failed')];
    await waitUntil(async () => {
      await send();
      return (await reads('served')) >= served + 3;
    });
    expect(await reads('failed')).toBe(failed);
  });

  test('a transcript on another process contains the message that was just answered', async () => {
    const before = await reads('served', other.url);
    for (let round = 0; round < rounds / 2; round += 1) {
      const message = `What is the harbour code of round ${round}?`;
      const { conversationId, messageId } = await (await here().post('/chat', { message })).json();
      const transcript = await (await there().get(`/conversations/${conversationId}`)).json();
      const ids = transcript.messages.map(({ id }: { id: string }) => id);
      expect(ids).toEqual([expect.anything(), messageId]);
    }
    expect((await reads('served', other.url)) - before).toBeGreaterThan(0);
  });

  test('a deleted document is not found by the next search on another process', async () => {
    for (let round = 0; round < 10; round += 1) {
      const word = `umbra${round}velvet`;
      const [document] = await addDocuments(service, tenant.projectId, {
        [`${word}.md`]: `The code is ${word}.`,
      });
      await here().delete(`/knowledge/documents/${document?.id}`);
      expect(await namesOf(search(word, there()))).not.toContain(`${word}.md`);
    }
  });

  test('a replica behind is not read from, and one that lags longer is not asked', async () => {
    await database.run('replica', 'select pg_wal_replay_pause()');
    try {
      await addDocuments(service, tenant.projectId, {
        'paused.md': 'The lighthouse opens at ten.',
      });
      expect(await namesOf(search('lighthouse', there()))).toContain('paused.md');
      // The service asks the replica until it notices that the replica is behind. After that, it no longer asks.
      await waitUntil(async () => {
        const behind = await reads('behind', other.url);
        const unavailable = await reads('unavailable', other.url);
        expect(await namesOf(search('lighthouse', there()))).toContain('paused.md');
        const isAsked = (await reads('behind', other.url)) > behind;
        return !isAsked && (await reads('unavailable', other.url)) > unavailable;
      });
    } finally {
      await database.run('replica', 'select pg_wal_replay_resume()');
    }
    await untilServed();
  });

  test('row-level security limits reads from a replica', async () => {
    await addDocuments(service, tenant.projectId, { 'private.md': 'Only for us.' });
    const stranger = await service.createTenant();
    const names = async (of: Tenant) => {
      const { pool } = service.adapters.database.replicas?.readsFor(of) ?? {};
      if (pool === undefined) throw new Error('no replicas');
      const sql = `select name, pg_is_in_recovery() as "isReplica" from grounded.documents`;
      return runSql<{ name: string; isReplica: boolean }>(pool, sql);
    };
    await waitUntil(async () =>
      (await names(tenant.organizationId as Tenant)).every(({ isReplica }) => isReplica),
    );
    expect(await names(tenant.organizationId as Tenant)).toContainEqual(
      expect.objectContaining({ name: 'private.md' }),
    );
    const served = await reads('served');
    expect(await names(stranger.organizationId as Tenant)).toEqual([]);
    expect(await names(noTenant)).toEqual([]);
    expect(await reads('served')).toBe(served + 2);
  });

  test('reads of Prisma come from a replica, writes and transactions do not', async () => {
    const isReplica = async (db: typeof service.system.db) =>
      (await db.$queryRaw<{ is: boolean }[]>`select pg_is_in_recovery() as "is"`)[0]?.is;
    await waitUntil(() => isReplica(fromReplica(service.system).db));
    expect(await isReplica(service.system.db)).toBe(false);
    const { prisma } = fromReplica(service.system);
    expect(await prisma.$transaction((tx) => isReplica(tx as never))).toBe(false);
    const { db } = fromReplica(service.system);
    const where = { id: tenant.projectId };
    await db.project.update({ where, data: { name: 'Renamed' } });
    expect((await service.system.db.project.findFirst({ where }))?.name).toBe('Renamed');
  });

  test('a read that the replay cancels on the replica is repeated on the primary', async () => {
    await database.run('primary', 'create table removed as select generate_series(1, 1000) as n');
    await database.run('replica', 'alter system set max_standby_streaming_delay = 0');
    await database.run('replica', 'select pg_reload_conf()');
    await untilServed();
    const failed = await reads('failed');
    const { pool } = fromReplica(service.system);
    const slow = runSql<{ isReplica: boolean }>(
      pool,
      `select pg_is_in_recovery() as "isReplica" from pg_sleep(case when pg_is_in_recovery() then 20 else 0 end)`,
    );
    await waitUntil(async () => {
      const running = `select from pg_stat_activity where query like '%pg_sleep(case%' and pid <> pg_backend_pid()`;
      return (await database.run('replica', running)).rowCount;
    });
    // Removes rows that the snapshot of the running statement needs.
    await database.run('primary', 'delete from removed');
    await database.run('primary', 'vacuum removed');
    expect(await slow).toEqual([{ isReplica: false }]);
    expect(await reads('failed')).toBe(failed + 1);
    await database.run('replica', 'alter system reset max_standby_streaming_delay');
    await database.run('replica', 'select pg_reload_conf()');
    await untilServed();
  });

  /**
   * Waits until a replica refuses a statement and answers the next one. It never does if it rests after an error. It may
   * be some milliseconds behind, so this may need more than one attempt.
   */
  async function untilServedAfter(refused: () => Promise<unknown>) {
    const isReplica = 'select pg_is_in_recovery() as "isReplica"';
    await waitUntil(async () => {
      const failed = await reads('failed');
      await refused();
      // A client of its own, because a client reads from the primary after an error.
      const { pool } = fromReplica(service.system);
      const [row] = await runSql<{ isReplica: boolean }>(pool, isReplica);
      return row?.isReplica && (await reads('failed')) > failed;
    });
  }

  test.each(['select 1 / 0', `select 'x'::uuid`, 'select from no_such_table'])(
    'a replica that refuses a statement for its own fault answers the next one: %s',
    async (sql) => {
      await untilServedAfter(async () => {
        await expect(runSql(fromReplica(service.system).pool, sql)).rejects.toThrow();
      });
    },
  );

  test('a write that is sent to a replica is stored, logged once as an error, and no replica rests', async () => {
    const text = `update grounded.projects set name = $2 where id = $1`;
    let count = 0;
    const write = async () => {
      count += 1;
      const { pool } = fromReplica(service.system);
      await runSql(pool, { name: 'rename', text }, [tenant.projectId, `Written ${count}`]);
    };
    for (let round = 0; round < 3; round += 1) await untilServedAfter(write);
    const where = { id: tenant.projectId };
    expect((await service.system.db.project.findFirst({ where }))?.name).toBe(`Written ${count}`);
    const errors = log.lines().filter(({ statement }) => statement === 'rename');
    expect(errors).toMatchObject([{ level: 'error', err: { code: '25006' } }]);
  });

  test('searches continue while a replica is killed, and use it again when it is back', async () => {
    let isDone = false;
    const statuses: number[] = [];
    const searching = (async () => {
      while (!isDone) statuses.push((await search('lighthouse')).status);
    })();
    await waitUntil(() => statuses.length >= 10);
    const unavailable = await reads('unavailable');
    await database.kill('replica');
    const before = statuses.length;
    // Waits for the searches that fail on the dead replica, and for many later searches that no longer use it.
    await waitUntil(
      async () => statuses.length >= before + 30 && (await reads('unavailable')) > unavailable + 10,
    );
    isDone = true;
    await searching;
    expect(new Set(statuses)).toEqual(new Set([200]));
    await database.start('replica');
    await untilServed();
  });

  test('a replica of the replaced primary is not read from, even if it is further in the WAL', async () => {
    // The replica does not receive the last writes of the primary. So the promoted server has less WAL than the old
    // primary.
    await database.run('replica', 'select pg_wal_replay_pause()');
    await database.kill('replica');
    await database.run(
      'primary',
      'create table filler as select generate_series(1, 200000) as n; drop table filler',
    );
    await database.kill('primary');
    await database.start('replica');
    await database.promote('replica');
    database.proxy.redirect(database.urls.replica);
    await waitUntil(async () => (await search('lighthouse')).status === 200, { timeoutMs: 30_000 });
    await addDocuments(service, tenant.projectId, { 'after.md': 'The ferry leaves at noon.' });
    expect(await namesOf(search('ferry', there()))).toContain('after.md');

    // The old primary becomes a standby that follows no server, as if it had been left on the old timeline.
    await writeFile(join(database.directory, 'primary', 'standby.signal'), '');
    await database.start('primary');
    const { rows } = await database.run('primary', 'select pg_last_wal_replay_lsn() as lsn');
    const { rows: ahead } = await database.run(
      'replica',
      `select pg_current_wal_lsn() < '${rows[0]?.lsn}' as "isAhead"`,
    );
    expect(ahead).toEqual([{ isAhead: true }]);
    const third = await startTestService({
      database: database.primary,
      isWorker: false,
      databaseReplicas: [{ databaseUrl: database.urls.primary, usesTransactionPooler: false }],
    });
    try {
      let searches = 0;
      await waitUntil(async () => {
        expect(await namesOf(search('ferry', clientOf(third.url)))).toContain('after.md');
        searches += 1;
        return searches >= 10 && (await reads('unavailable', third.url)) > 0;
      });
      expect(await reads('served', third.url)).toBe(0);
    } finally {
      await third.stop();
    }
  });
});
