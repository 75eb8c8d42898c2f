import pg from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase, serverUrl } from '../support/database/database.ts';
import { waitUntil } from '../support/wait-until.ts';

test.runIf(serverUrl())(
  'a dropped database sends no error to a session that is ending',
  async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    await client.connect();
    // The session that drops the database first counts the other open sessions.
    const isWaiting = async () => {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_activity
         where pid <> pg_backend_pid() and query like 'select count(*)%from pg_stat_activity where datname = $1'`,
      );
      return rowCount !== 0;
    };
    await Promise.all([database.drop(), waitUntil(isWaiting).then(() => client.end())]);
    expect(errors).toEqual([]);
  },
);
