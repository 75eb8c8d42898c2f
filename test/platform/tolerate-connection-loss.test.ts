import pg from 'pg';
import { expect, test } from 'vitest';
import { tolerateConnectionLoss } from '../../src/platform/postgres/tolerate-connection-loss.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { proxyDatabase } from '../support/servers/database-proxy.ts';

test('a connection that is lost during a query rejects the query, and ends nothing else', async () => {
  const database = await proxyDatabase(await createTestDatabase());
  const pool = new pg.Pool({ connectionString: database.url });
  const client = await pool.connect();
  const stopTolerating = tolerateConnectionLoss(client);
  const emitted: Error[] = [];
  client.on('error', (error) => emitted.push(error));
  const query = client.query('select pg_sleep(20)').catch((error: unknown) => error);
  database.cut();
  expect(await query).toBeInstanceOf(Error);
  expect(emitted).toHaveLength(1);
  client.release(true);
  stopTolerating();
  await pool.end();
  await database.drop();
});
