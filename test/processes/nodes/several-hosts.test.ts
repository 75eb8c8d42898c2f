import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/platform/postgres/connection-options.ts';
import { openPool } from '../../../src/platform/postgres/database-pool.ts';
import { hostNames } from '../../../src/platform/postgres/database-url.ts';
import { primaryHostOf } from '../../../src/platform/postgres/primary-host.ts';
import { restClient } from '../../support/api/rest-client.ts';
import { subscribe } from '../../support/api/subscription.ts';
import { captureLog } from '../../support/captured-log.ts';
import { serverUrl } from '../../support/database/database.ts';
import { databaseAccessFor } from '../../support/database/database-access.ts';
import {
  type ReplicatedDatabase,
  startReplicatedDatabase,
} from '../../support/database/replicated-database.ts';
import { startServiceProcess } from '../../support/programs/service-process.ts';
import { parseScrape } from '../../support/prometheus.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

// Each test continues with the servers as the test before has left them.
describe.skipIf(serverUrl() === undefined)('several database hosts', { timeout: 60_000 }, () => {
  let database: ReplicatedDatabase;
  let service: TestService;
  let url: string;
  let secret: string;
  let projectId: string;

  beforeAll(async () => {
    database = await startReplicatedDatabase();
    // The standby is the first host. So the service also installs its tables on the second one.
    url = urlOf(new URL(database.urls.replica).host, new URL(database.urls.primary).host);
    service = await startTestService({
      database: { url, drop: async () => {} },
      databaseReplicas: [database.urls.primary, database.urls.replica].map((databaseUrl) => ({
        databaseUrl,
        usesTransactionPooler: false,
      })),
    });
    const tenant = await service.createTenant();
    ({ projectId } = tenant);
    secret = await tenant.key();
  }, 60_000);

  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const urlOf = (...hosts: string[]) => `postgresql://postgres@${hosts.join(',')}/postgres`;
  const client = (at = service.url) => restClient(`${at}/api/v1`, secret);
  const served = async () =>
    parseScrape(await (await fetch(`${service.url}/metrics`)).text()).value(
      'grounded_chat_replica_reads_total',
      { result: 'served' },
    );
  const search = async (query: string): Promise<string[]> => {
    const { results } = await (await client().post('/knowledge/search', { query })).json();
    return (results ?? []).map((result: { documentName: string }) => result.documentName);
  };
  /** Waits until a search was answered by a server that is a standby. */
  const untilServed = async () => {
    const before = await served();
    await waitUntil(
      async () => {
        await search('warm up');
        return (await served()) > before;
      },
      { timeoutMs: 30_000, intervalMs: 50 },
    );
  };
  /** Returns the port of the server to which a new connection leads. */
  const portOf = async (connected: pg.Client | pg.Pool): Promise<string> => {
    const { rows } = await connected.query('select inet_server_port()::text as port');
    return rows[0].port;
  };
  const connect = async (to = url) => {
    const opened = createClient(to, { connectionTimeoutMillis: 10_000 });
    opened.on('error', () => {});
    await opened.connect();
    return opened;
  };

  const endOf = (opened: pg.Client) => new Promise<void>((resolve) => opened.on('end', resolve));

  test('connections lead to the primary, in whatever order the hosts are named', async () => {
    const { primary, replica } = database.urls;
    for (const hosts of [
      [primary, replica],
      [replica, primary],
    ]) {
      const opened = await connect(urlOf(...hosts.map((each) => new URL(each).host)));
      expect(await portOf(opened)).toBe(new URL(primary).port);
      await opened.end();
    }
  });

  test('a host that does not answer does not delay the connection', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const startedAt = performance.now();
    const opened = await connect(
      urlOf(`127.0.0.1:${port}`, '127.0.0.1:1', new URL(database.urls.primary).host),
    );
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await opened.end();
    silent.close();
  });

  test.each(['read-write', 'primary'])(
    'target_session_attrs=%s refuses a standby, in a message without the password',
    async (attributes) => {
      const standby = new URL(database.urls.replica);
      standby.password = 'hunter2';
      standby.searchParams.set('target_session_attrs', attributes);
      const error = await connect(standby.href).catch((reason) => reason);
      const name = hostNames(standby.href);
      expect(error.message).toBe(
        `no host of the database accepts writes (${name}: it is a standby)`,
      );
    },
  );

  test('a server that has just become a standby is refused', async () => {
    const throughProxy = urlOf(new URL(database.primary.url).host);
    const url = `${throughProxy}?target_session_attrs=read-write`;
    await primaryHostOf(url)?.find();
    database.proxy.redirect(database.urls.replica);
    await expect(connect(url)).rejects.toThrow('is a standby now');
    database.proxy.redirect(database.urls.primary);
    await (await connect(url)).end();
  });

  test('a statement timeout cancels the statement on the primary', async () => {
    const access = databaseAccessFor({ url }, { statementTimeoutMs: 200 });
    const pool = openPool(access, { name: 'cancelled', size: 1 });
    await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await pool.end();
  });

  test('after a failover, requests, jobs and live events continue', async () => {
    await untilServed();
    const token = await service.token({ role: 'service_role' });
    const updates = await subscribe<{ documentUpdated: { id: string } }>(
      `${service.url}/graphql`,
      token,
      'subscription ($id: ID!) { documentUpdated(projectId: $id) { id } }',
      { id: projectId },
    );
    const throughProxy = urlOf(
      new URL(database.primary.url).host,
      new URL(database.urls.replica).host,
    );
    const dead = await connect(throughProxy);
    const isClosed = endOf(dead);
    // Nothing closes this connection, as after a power failure.
    database.proxy.hang();
    await database.kill('primary');
    await database.promote('replica');
    const promotedAt = performance.now();
    const document = { name: 'after.md', content: 'The ferry leaves at noon.' };
    let id = '';
    await waitUntil(async () => {
      const response = await client().post('/knowledge/documents', document);
      expect([201, 503]).toContain(response.status);
      if (response.status === 201) ({ id } = await response.json());
      return id !== '';
    });
    expect(performance.now() - promotedAt).toBeLessThan(5_000);
    await waitUntil(async () => {
      const { status } = await (await client().get(`/knowledge/documents/${id}`)).json();
      return status === 'READY';
    });
    expect(await search('When does the ferry leave?')).toContain('after.md');
    for (;;) {
      const [update] = await updates.take(1);
      if (update?.documentUpdated.id === id) break;
    }
    updates.disconnect();
    await isClosed;
  });

  test('a service starts while the first host is down', async () => {
    const { primary, replica } = database.urls;
    const firstIsDown = urlOf(new URL(primary).host, new URL(replica).host);
    const started = await startServiceProcess({
      DATABASE_URL: firstIsDown,
      MIGRATION_DATABASE_URL: firstIsDown,
      DATABASE_REPLICA_URLS: `${primary},${replica}`,
      DATA_DIR: join(service.filesDirectory, '..'),
    });
    const reply = await client(started.url).post('/chat', {
      message: 'When does the ferry leave?',
    });
    expect(reply.status).toBe(200);
    expect(await started.stop()).toBe(0);
  });

  test('a replaced primary that starts again is not used, although it accepts writes', async () => {
    await database.start('primary');
    const { lines, log } = captureLog();
    const primaryHost = primaryHostOf(url);
    const unfollow = primaryHost?.follow(log);
    await waitUntil(async () => {
      const opened = await connect();
      expect(await portOf(opened)).toBe(new URL(database.urls.replica).port);
      await opened.end();
      return lines().some(({ msg }) => /several database hosts accept writes/.test(String(msg)));
    });
    unfollow?.();
    // The process remembers the timeline. So it also refuses the replaced primary while the other host is down.
    await database.kill('replica');
    const message = 'it was replaced by a host of a later timeline';
    await waitUntil(async () => {
      const opened = await connect().catch((error) => error);
      return opened instanceof Error && opened.message.includes(message);
    });
    expect((await client().get('/knowledge/documents')).status).toBe(503);
    await database.start('replica');
  });

  test('a server that is a standby again is read from', async () => {
    await database.kill('primary');
    await database.rebuild('primary');
    await untilServed();
    const opened = await connect();
    expect(await portOf(opened)).toBe(new URL(database.urls.replica).port);
    await opened.end();
  });

  test('connections to a server that was replaced but still runs are closed', async () => {
    const opened = await connect();
    const isClosed = endOf(opened);
    await database.promote('primary');
    await waitUntil(async () => {
      const other = await connect();
      const port = await portOf(other);
      await other.end();
      return port === new URL(database.urls.primary).port;
    });
    await isClosed;
    const document = { name: 'last.md', content: 'The museum opens at ten.' };
    expect((await client().post('/knowledge/documents', document)).status).toBe(201);
    const { rowCount } = await database.run(
      'primary',
      `select from grounded.documents where name = 'last.md'`,
    );
    expect(rowCount).toBe(1);
  });
});
