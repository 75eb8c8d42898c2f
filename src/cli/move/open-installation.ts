import { join } from 'node:path';
import type pg from 'pg';
import { migrate } from '../../../supabase/migrate.ts';
import { createDirectory } from '../../platform/create-directory.ts';
import { startEmbeddedDatabase } from '../../platform/embedded/start-embedded-database.ts';
import { DomainError } from '../../platform/errors.ts';
import { installQueue, queueSchema } from '../../platform/jobs/install-queue.ts';
import { createClient } from '../../platform/postgres/connection-options.ts';
import { hostNames, hostUrls } from '../../platform/postgres/database-url.ts';
import { jobs } from '../../server/jobs.ts';

/** The database of an installation: that of a data directory, or a Postgres at an address of the owner of its tables. */
export type Place =
  | { readonly type: 'embedded'; readonly dataDir: string }
  | { readonly type: 'postgres'; readonly url: string };

export interface OpenPlace {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * @throws DomainError CONFLICT when another process uses the embedded database
 */
export async function openPlace(
  place: Place,
  onProgress: (message: string) => void,
): Promise<OpenPlace> {
  if (place.type === 'postgres') return { url: place.url, stop: async () => {} };
  await createDirectory(place.dataDir);
  return startEmbeddedDatabase({
    dataDir: join(place.dataDir, 'postgres'),
    // A transaction is idle while the other database works.
    limits: { idleInTransactionTimeoutMs: 86_400_000 },
    onProgress,
  });
}

/** Creates or updates all tables of the service and of its job queue. */
export async function installTables(url: string): Promise<void> {
  await migrate(url);
  await installQueue(url, queueSchema, jobs);
}

/** Name of the place for people. Contains no password. */
export function describePlace(place: Place): string {
  if (place.type === 'embedded') return `the embedded database in ${place.dataDir}`;
  const [host = place.url] = hostUrls(place.url);
  return `the Postgres ${hostNames(place.url)}${new URL(host).pathname}`;
}

/** @throws DomainError UNAVAILABLE when the database refuses the connection or does not answer */
export async function connect(url: string, name: string): Promise<pg.Client> {
  try {
    const client = createClient(url, {
      application_name: 'grounded-chat move',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => {}); // the pending query also rejects
    await client.connect();
    return client;
  } catch (cause) {
    throw new DomainError('UNAVAILABLE', `Cannot connect to ${name}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

const connectTimeoutMs = 10_000;

/** Node reports the failure of all addresses of a host in an error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Begins a transaction that reads and writes values as the same text on every server, and that no time-out of the server
 * ends.
 */
export async function beginTransaction(client: pg.Client, mode: string): Promise<void> {
  await client.query(`begin isolation level ${mode}`);
  await client.query(
    `select set_config(name, '0', true) from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
  // Without `row_security = off`, a role that does not own the tables would read only some rows, without an error.
  await client.query(`
    set local row_security = off; set local lock_timeout = '30s'; set local search_path = ''; set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
    set local bytea_output = 'hex'; set local extra_float_digits = 1`);
}
