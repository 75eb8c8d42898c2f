import pg from 'pg';
import { startEmbeddedDatabase } from '../../../src/platform/embedded/start-embedded-database.ts';

// `node insert-rows.ts <data directory>` inserts 1,000 rows, one per transaction, and prints the number of each row
// after its commit. The test kills this process in the meantime.
const [, , dataDir = null] = process.argv;
const database = await startEmbeddedDatabase({ dataDir });
const client = new pg.Client({ connectionString: database.url });
await client.connect();
await client.query('create table if not exists rows (n int primary key, content text not null)');
for (let n = 0; n < 1_000; n += 1) {
  await client.query('begin');
  await client.query('insert into rows values ($1, $2)', [n, `row ${n}`.repeat(50)]);
  await client.query('commit');
  process.stdout.write(`${n}\n`);
}
await client.query('insert into rows values (-1, $$never$$)');
await client.end();
await database.stop();
