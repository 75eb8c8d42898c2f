import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface TlsPostgres {
  /**
   * Returns an address that requires verification of the certificate and the host. Values in `parameters` replace its
   * parameters. Null removes a parameter.
   */
  url(parameters?: Readonly<Record<string, string | null>>): string;
  /** A connection as the superuser. */
  readonly admin: pg.Client;
  stop(): Promise<void>;
}

/**
 * Starts a separate Postgres that accepts only encrypted TCP connections. Its certificate is for `localhost` and was
 * issued by the private CA in `test/fixtures/tls`.
 */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const directory = join(tmpdir(), `grounded-chat-tls-postgres-${process.pid}`);
  const env = { ...process.env, TEST_POSTGRES_DIR: directory };
  const stop = async () => {
    await run('test/support/postgres-down.sh', ['--purge'], { env });
  };
  try {
    const { stdout } = await run('test/support/postgres-up.sh', { env });
    await turnOnTls(stdout.trim());
    const url = (parameters: Readonly<Record<string, string | null>> = {}) => {
      const address = new URL(stdout.trim());
      address.hostname = 'localhost';
      const given = {
        sslmode: 'verify-full',
        sslrootcert: 'test/fixtures/tls/ca.pem',
        ...parameters,
      };
      for (const [name, value] of Object.entries(given)) {
        if (value !== null) address.searchParams.set(name, value);
      }
      return address.href;
    };
    const admin = new pg.Client({ connectionString: url() });
    await admin.connect();
    return {
      url,
      admin,
      async stop() {
        await admin.end();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Turns on TLS. The server itself writes the files, because they must belong to its user. */
async function turnOnTls(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const write = (name: string, text: string) =>
      client.query(
        `copy (select unnest(string_to_array(${pg.escapeLiteral(text)}, E'\\n')))
         to program 'umask 077; cat > ${name}'`,
      );
    await write('server.key', await readFile('test/fixtures/tls/localhost.key', 'utf8'));
    await write('server.crt', await readFile('test/fixtures/tls/localhost.pem', 'utf8'));
    await write('pg_hba.conf', 'hostssl all all all trust\nhostnossl all all all reject');
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
