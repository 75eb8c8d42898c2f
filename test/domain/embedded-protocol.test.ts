import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import {
  bind,
  close,
  execute,
  flush,
  openWireClient,
  parse,
  query,
  sync,
} from '../support/wire-client.ts';

// Runs on a real Postgres too, with TEST_DATABASE_URL: both must answer alike.
describe('the wire protocol', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const client = await openWireClient(database.url);
    await client.ask(query('create table numbers (n int primary key)'));
    client.socket.end();
  });
  afterAll(() => database.drop());

  async function withClients<T>(
    count: number,
    work: (...clients: Awaited<ReturnType<typeof openWireClient>>[]) => Promise<T>,
  ): Promise<T> {
    const opening = Array.from({ length: count }, () => openWireClient(database.url));
    const clients = await Promise.all(opening);
    try {
      return await work(...clients);
    } finally {
      for (const client of clients) client.socket.end();
    }
  }

  it('answers an empty query, simple and extended', () =>
    withClients(1, async (client) => {
      expect(await client?.ask(query(''))).toEqual(['I', 'Z I']);
      const reply = await client?.ask(parse('', ''), bind('', ''), execute(''), sync);
      expect(reply).toEqual(['1', '2', 'I', 'Z I']);
    }));
});
