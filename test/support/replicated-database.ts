import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../supabase/migrate.ts';
import type { TestDatabase } from './database.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

type ServerName = 'primary' | 'replica';

/** A primary that is reached through a proxy, as behind a name, and a streaming replica of it. */
export interface ReplicatedDatabase {
  readonly primary: TestDatabase;
  /** Addresses without the proxy. */
  readonly urls: Readonly<Record<ServerName, string>>;
  readonly proxy: FaultProxy;
  /** Runs statements as a superuser. */
  run(server: ServerName, sql: string): Promise<pg.QueryResult>;
  start(server: ServerName): Promise<void>;
  /** Stops a server as a crash does. */
  kill(server: ServerName): Promise<void>;
  promote(server: ServerName): Promise<void>;
  readonly directory: string;
  drop(): Promise<void>;
}

/** Starts a migrated primary and its replica, of their own, on free ports. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const directory = join(await mkdtemp(join(tmpdir(), 'grounded-chat-replica-')), 'servers');
  const script = async (...args: readonly string[]) =>
    (await promisify(execFile)('bash', ['test/support/postgres-replica.sh', directory, ...args]))
      .stdout;
  // Postgres runs as another user, who must reach the directory.
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
    async drop() {
      await proxy.close();
      await script('down');
    },
  };
}
