import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase, serverUrl } from '../support/database.ts';

test.runIf(serverUrl())(
  'a dropped database sends no error to a session that is ending',
  async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    await client.connect();
    await Promise.all([database.drop(), setTimeout(300).then(() => client.end())]);
    expect(errors).toEqual([]);
  },
);
