import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/postgres/database-pool.ts';
import { restClient } from '../support/api/rest-client.ts';
import { serverUrl } from '../support/database/database.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { startTlsPostgres, type TlsPostgres } from '../support/database/tls-postgres.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

// This test starts its own Postgres. If TEST_DATABASE_URL is set, this machine has Postgres.
describe.skipIf(serverUrl() === undefined)(
  'a Postgres with a certificate of a private CA',
  {
    timeout: 120_000,
  },
  () => {
    let postgres: TlsPostgres;
    beforeAll(async () => {
      postgres = await startTlsPostgres();
    }, 120_000);
    afterAll(() => postgres?.stop());

    test('gets only encrypted connections, from every part of the service', async () => {
      const settings = { DATABASE_URL: postgres.url(), MIGRATION_DATABASE_URL: postgres.url() };
      const seen = watchConnections();
      const { secret } = await runCli(['seed'], settings);
      const service = await startServiceProcess(settings);
      const client = restClient(`${service.url}/api/v1`, secret);
      const reply = await client.post('/chat', { message: 'Which files may I upload?' });
      expect(reply.status).toBe(200);
      const document = { name: 'Hours.md', content: 'The museum opens at nine.' };
      expect((await client.post('/knowledge/documents', document)).status).toBe(201);
      await service.stop();

      const connections = await seen.stop();
      expect([...connections.keys()].sort()).toEqual(
        expect.arrayContaining([
          'grounded-chat',
          'grounded-chat events',
          'grounded-chat jobs',
          'migrate',
        ]),
      );
      expect([...connections.values()].every((isEncrypted) => isEncrypted)).toBe(true);
    });

    test.each([
      ['one host', (url: string) => url],
      // The certificate is only for the second host. So the name of that host is verified, not that of the first one.
      ['several hosts', (url: string) => url.replace('localhost:', '127.0.0.1:1,localhost:')],
    ])('cancels a statement over an encrypted connection with %s', async (_, urlOf) => {
      const url = urlOf(postgres.url());
      const access = databaseAccessFor({ url }, { statementTimeoutMs: 300 });
      const pool = openPool(access, { name: 'cancelled', size: 1 });
      await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
      await pool.end();
    });

    test.each([
      [
        'the CA is not named',
        { sslrootcert: null },
        'certificate of the database cannot be verified',
      ],
      [
        'the CA is another one',
        { sslrootcert: 'test/fixtures/tls/localhost.pem' },
        'cannot be verified',
      ],
      [
        'the file of the CA is missing',
        { sslrootcert: 'no-such-ca.pem' },
        'sslrootcert names a file',
      ],
      [
        'the connection is not encrypted',
        { sslrootcert: null, sslmode: 'disable' },
        'no encryption',
      ],
    ])('is refused in one line if %s', async (_reason, parameters, message) => {
      const { stderr } = await promisify(execFile)(process.execPath, ['dist/src/main.js'], {
        env: { PATH: process.env.PATH, PORT: '0', DATABASE_URL: postgres.url(parameters) },
      }).then(
        () => ({ stderr: '' }),
        (error: { stderr: string }) => error,
      );
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^ {4}at /m);
    });

    /** Collects for each application name whether all of its connections were encrypted. */
    function watchConnections() {
      const seen = new Map<string, boolean>();
      const stopping = new AbortController();
      const look = async () => {
        const { rows } = await postgres.admin.query<{ name: string; ssl: boolean }>(
          `select application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
           where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
        for (const { name, ssl } of rows) seen.set(name, ssl && (seen.get(name) ?? true));
        return stopping.signal.aborted;
      };
      const watching = waitUntil(look, { timeoutMs: 300_000, intervalMs: 5 });
      return {
        async stop() {
          stopping.abort();
          await watching;
          return seen;
        },
      };
    }
  },
);
