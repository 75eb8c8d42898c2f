import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../../supabase/migrate.ts';
import { type FaultProxy, startFaultProxy } from '../servers/fault-proxy.ts';
import type { TestDatabase } from './database.ts';

type ServerName = 'primary' | 'replica';

/** A primary and a streaming replica of it. Clients reach the primary through a proxy, which stands for a host name. */
export interface ReplicatedDatabase {
  readonly primary: TestDatabase;
  /** Addresses of the servers without the proxy. */
  readonly urls: Readonly<Record<ServerName, string>>;
  readonly proxy: FaultProxy;
  /** Runs statements on a server as a superuser. */
  run(server: ServerName, sql: string): Promise<pg.QueryResult>;
  start(server: ServerName): Promise<void>;
  /** Stops a server as in a crash. */
  kill(server: ServerName): Promise<void>;
  promote(server: ServerName): Promise<void>;
  /** Makes a stopped server a standby of the other one and starts it. */
  rebuild(server: ServerName): Promise<void>;
  readonly directory: string;
  drop(): Promise<void>;
}

/** Starts a separate, migrated primary and its replica, on free ports. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const directory = join(await mkdtemp(join(tmpdir(), 'grounded-chat-replica-')), 'servers');
  const script = async (...args: readonly string[]) =>
    (await promisify(execFile)('bash', ['test/support/postgres-replica.sh', directory, ...args]))
      .stdout;
  // Postgres runs as another user, and this user must be able to enter the directory.
  await promisify(execFile)('chmod', ['711', join(directory, '..')]);
  const [primary = '', replica = ''] = (await script('up')).trim().split('\n');
  const urls = { primary, replica };
  await migrate(primary);
  const proxy = await startFaultProxy(primary);
  const proxied = new URL(primary);
  proxied.port = new URL(proxy.url).port;
  return {
    primary: { url: proxied.href, drop: async () => {} },
    urls,
    proxy,
    directory,
    async run(server, sql) {
      const client = new pg.Client({ connectionString: urls[server] });
      await client.connect();
      try {
        return await client.query(sql);
      } finally {
        await client.end();
      }
    },
    start: async (server) => void (await script('start', server)),
    kill: async (server) => void (await script('stop', server, 'immediate')),
    promote: async (server) => void (await script('promote', server)),
    rebuild: async (server) => void (await script('rebuild', server)),
    async drop() {
      await proxy.close();
      await script('down');
    },
  };
}
