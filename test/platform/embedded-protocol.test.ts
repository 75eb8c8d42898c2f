import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  bindMessage,
  close,
  executeMessage,
  flush,
  openPostgresWireClient,
  type PostgresWireClient,
  parse,
  query,
  sync,
} from '../support/database/postgres-wire-client.ts';

// With TEST_DATABASE_URL, these tests run on a real Postgres, because the embedded database must respond in the same
// way.
describe('the wire protocol', () => {
  let database: TestDatabase;
  const opened: PostgresWireClient[] = [];
  const open = async (parameters?: Record<string, string>) => {
    const client = await openPostgresWireClient(database.url, parameters);
    opened.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const client = await openPostgresWireClient(database.url);
    await client.sendAndRead(query('create table numbers (n int primary key)'));
    client.socket.destroy();
  });
  afterEach(() => {
    for (const client of opened.splice(0)) client.socket.destroy();
  });
  afterAll(() => database.drop());

  it('answers an empty query, simple and extended', async () => {
    const client = await open();
    expect(await client.sendAndRead(query(''))).toEqual(['I', 'Z I']);
    const reply = await client.sendAndRead(
      parse('', ''),
      bindMessage('', ''),
      executeMessage(''),
      sync,
    );
    expect(reply).toEqual(['1', '2', 'I', 'Z I']);
  });

  it('runs pipelined batches one by one; an error ends only its own batch', async () => {
    const client = await open();
    const unit = (sql: string) => [parse('', sql), bindMessage('', ''), executeMessage(''), sync];
    client.send(...unit('select 1'), ...unit('select 1/0'), ...unit('select 3'));
    expect(await client.readUntil('Z')).toEqual(['1', '2', 'D 1', 'C SELECT 1', 'Z I']);
    expect((await client.readUntil('Z')).slice(-2)).toEqual(['E 22012', 'Z I']);
    expect(await client.readUntil('Z')).toEqual(['1', '2', 'D 3', 'C SELECT 1', 'Z I']);
  });

  it('skips messages after an error up to the Sync', async () => {
    const client = await open();
    client.send(parse('', 'select 1/0'), bindMessage('', ''), executeMessage(''), flush);
    expect((await client.readUntil('E')).at(-1)).toBe('E 22012');
    client.send(
      parse('', 'insert into numbers values (-1)'),
      bindMessage('', ''),
      executeMessage(''),
      flush,
    );
    expect(await client.sendAndRead(sync)).toEqual(['Z I']);
    expect(await client.sendAndRead(query('select n from numbers where n = -1'))).not.toContain(
      'D -1',
    );
  });

  it('returns a suspended portal row by row while other clients wait', async () => {
    const [client, other] = [await open(), await open()];
    client.send(
      parse('', 'select generate_series(1, 3)'),
      bindMessage('p', ''),
      executeMessage('p', 2),
      flush,
    );
    expect(await client.readUntil('s')).toEqual(['1', '2', 'D 1', 'D 2', 's']);
    other.send(query('select 7'));
    client.send(executeMessage('p', 2), flush);
    expect(await client.readUntil('C')).toEqual(['D 3', 'C SELECT 1']);
    expect(await client.sendAndRead(sync)).toEqual(['Z I']);
    expect(await other.readUntil('Z')).toContain('D 7');
  });

  it('separates equal statement names of two clients, of any length', async () => {
    const [a, b] = [await open(), await open()];
    const names = ['s', 'x'.repeat(60)];
    for (const name of names) {
      expect(await a.sendAndRead(parse(name, `select 'a'`), sync)).toEqual(['1', 'Z I']);
      expect(await b.sendAndRead(parse(name, `select 'b'`), sync)).toEqual(['1', 'Z I']);
      expect(await a.sendAndRead(bindMessage('', name), executeMessage(''), sync)).toContain('D a');
      expect(await b.sendAndRead(bindMessage('', name), executeMessage(''), sync)).toContain('D b');
      expect(await a.sendAndRead(close('S', name), sync)).toEqual(['3', 'Z I']);
      expect(await a.sendAndRead(bindMessage('', name), executeMessage(''), sync)).toEqual([
        'E 26000',
        'Z I',
      ]);
      expect(await b.sendAndRead(bindMessage('', name), executeMessage(''), sync)).toContain('D b');
    }
  });

  it('keeps a statement whose Close was skipped after an error', async () => {
    const client = await open();
    await client.sendAndRead(parse('kept', 'select 5'), sync);
    await client.sendAndRead(parse('', 'select bad syntax from'), close('S', 'kept'), sync);
    expect(await client.sendAndRead(bindMessage('', 'kept'), executeMessage(''), sync)).toContain(
      'D 5',
    );
  });

  it('separates the unnamed statements of two clients', async () => {
    const [a, b] = [await open(), await open()];
    await a.sendAndRead(parse('', `select 'a'`), sync);
    await b.sendAndRead(parse('', `select 'b'`), sync);
    expect(await a.sendAndRead(bindMessage('', ''), executeMessage(''), sync)).toEqual([
      '2',
      'D a',
      'C SELECT 1',
      'Z I',
    ]);
    expect(await b.sendAndRead(bindMessage('', ''), executeMessage(''), sync)).toContain('D b');
  });

  it('does not expose the unnamed statement of another client', async () => {
    const [a, b] = [await open(), await open()];
    await a.sendAndRead(parse('', `select 'secret'`), sync);
    expect(await b.sendAndRead(bindMessage('', ''), executeMessage(''), sync)).toEqual([
      'E 26000',
      'Z I',
    ]);
    await a.sendAndRead(query('select 1'));
    expect(await a.sendAndRead(bindMessage('', ''), executeMessage(''), sync)).toEqual([
      'E 26000',
      'Z I',
    ]);
  });

  it('serves other clients while one client has much work', async () => {
    const [busy, other] = [await open(), await open()];
    await other.sendAndRead(query('create table progress (n int)'));
    busy.send(
      ...Array.from({ length: 5000 }, (_, n) => query(`insert into progress values (${n})`)),
    );
    await busy.readUntil('Z');
    const [, row = ''] = await other.sendAndRead(query('select count(*) from progress'));
    expect(Number(row.slice(2))).toBeGreaterThan(0);
    expect(Number(row.slice(2))).toBeLessThan(5000);
  });

  it('rolls back the transaction of a disconnected client, simple and extended', async () => {
    const watcher = await open();
    const inTransaction = await open();
    await inTransaction.sendAndRead(query('begin; insert into numbers values (100)'));
    inTransaction.socket.destroy();
    const beforeSync = await open();
    const insert = parse('', 'insert into numbers values (101)');
    beforeSync.send(insert, bindMessage('', ''), executeMessage(''), flush);
    await beforeSync.readUntil('C');
    beforeSync.socket.destroy();
    const failed = await open();
    await failed.sendAndRead(query('begin; insert into numbers values (102)'));
    failed.send(parse('', 'select 1/0'), bindMessage('', ''), executeMessage(''), flush);
    await failed.readUntil('E');
    failed.socket.destroy();
    const count = query('select count(*) from numbers where n in (100, 101, 102)');
    expect(await watcher.sendAndRead(count)).toContain('D 0');
  });

  it('rejects or runs COPY FROM STDIN, and continues', async () => {
    const client = await open();
    client.send(query('copy numbers from stdin'));
    await client.readUntil('G');
    client.send(Buffer.from('66000000083230300a', 'hex')); // CopyFail
    expect((await client.readUntil('Z')).at(-1)).toBe('Z I');
    expect(await client.sendAndRead(query('copy (select 1) to stdout'))).toContain('C COPY 1');
    expect(await client.sendAndRead(query('select 8'))).toContain('D 8');
  });

  it('answers malformed messages with an error, and continues', async () => {
    const client = await open();
    const broken = Buffer.from([0x42, 0, 0, 0, 6, 0, 0]); // Bind that ends after its names
    expect((await client.sendAndRead(broken, sync)).map((message) => message[0])).toEqual([
      'E',
      'Z',
    ]);
    expect(await client.sendAndRead(query('select 9'))).toContain('D 9');
  });

  it('returns deep recursion as an error of the statement', async () => {
    const client = await open();
    const nested = `select ('${'['.repeat(300_000)}')::jsonb`;
    expect((await client.sendAndRead(query(nested))).map((message) => message[0])).toEqual([
      'E',
      'Z',
    ]);
    const endless = `create function endless() returns int language plpgsql
      as 'begin return endless(); end'`;
    await client.sendAndRead(query(endless));
    expect(await client.sendAndRead(query('select endless()'))).toContain('E 54001');
    expect(await client.sendAndRead(query('select 10'))).toContain('D 10');
  });

  it('keeps the settings of each client, including its startup parameters', async () => {
    const plain = await open();
    const own = await open({
      application_name: `o'neil \\ sons`,
      options: '-c search_path=pg_catalog,public --statement-timeout=7s -c work_mem=8\\MB',
    });
    const show = query(`select concat_ws(' ', current_setting('application_name'),
      current_setting('search_path'), current_setting('statement_timeout'),
      current_setting('work_mem'))`);
    const expected = `D o'neil \\ sons pg_catalog,public 7s 8MB`;
    expect(await own.sendAndRead(show)).toContain(expected);
    expect((await plain.sendAndRead(show)).join()).not.toContain('neil');
    await own.sendAndRead(query(`set work_mem = '9MB'; set application_name = 'renamed'`));
    await plain.sendAndRead(query('begin; set local work_mem = 1000; commit'));
    await plain.sendAndRead(query(`begin; set work_mem = '11MB'; rollback`));
    expect(await plain.sendAndRead(query('show work_mem'))).toContain('D 4MB');
    expect(await own.sendAndRead(query('show work_mem'))).toContain('D 9MB');
    await own.sendAndRead(query('reset all'));
    expect(await own.sendAndRead(show)).toContain(expected);
    await own.sendAndRead(query(`select set_config('app.tenant', 'mine', false)`));
    const tenant = query(`select coalesce(current_setting('app.tenant', true), '')`);
    expect(await plain.sendAndRead(tenant)).toContain('D ');
    expect(await own.sendAndRead(tenant)).toContain('D mine');
    await own.sendAndRead(query('discard all'));
    expect(await own.sendAndRead(tenant)).toContain('D ');
  });

  it('limits SET ROLE to the client that ran it', async () => {
    const [a, b] = [await open(), await open()];
    const role = `role_${database.url.slice(-8).replace(/\W/g, '_').toLowerCase()}`;
    await a.sendAndRead(query(`create role ${role}`));
    await a.sendAndRead(query(`set role ${role}`));
    expect(await b.sendAndRead(query('select current_user'))).not.toContain(`D ${role}`);
    expect(await a.sendAndRead(query('select current_user'))).toContain(`D ${role}`);
    await a.sendAndRead(query(`reset role; alter role ${role} login`));
    const c = await open({ user: role });
    expect(await c.sendAndRead(query('select session_user'))).toContain(`D ${role}`);
    expect((await a.sendAndRead(query(`drop role ${role}`))).at(-1)).toBe('Z I');
    expect(await b.sendAndRead(query('select session_user'))).not.toContain(`D ${role}`);
  });

  it("closes only the client's own statements on DISCARD ALL and DEALLOCATE ALL", async () => {
    const [a, b] = [await open(), await open()];
    for (const command of ['discard all', 'DEALLOCATE ALL;', 'deallocate prepare all']) {
      await a.sendAndRead(parse('one', 'select 1'), sync);
      await b.sendAndRead(parse('two', 'select 2'), sync);
      expect((await a.sendAndRead(query(command))).at(-1)).toBe('Z I');
      expect(await a.sendAndRead(bindMessage('', 'one'), executeMessage(''), sync)).toEqual([
        'E 26000',
        'Z I',
      ]);
      expect(await b.sendAndRead(bindMessage('', 'two'), executeMessage(''), sync)).toContain(
        'D 2',
      );
      await b.sendAndRead(close('S', 'two'), sync);
    }
  });

  it('notifies only the clients that listen', async () => {
    const [a, b, sender] = [await open(), await open(), await open()];
    await a.sendAndRead(query('listen Mixed; listen "Mixed"'));
    await b.sendAndRead(parse('', 'listen shared'), bindMessage('', ''), executeMessage(''), sync);
    await a.sendAndRead(query('/* two */ select 1; listen shared -- here'));
    await sender.sendAndRead(query(`notify mixed, '1'`));
    await sender.sendAndRead(query(`notify "Mixed", '2'`));
    await sender.sendAndRead(query(`select pg_notify('shared', '3')`));
    expect(await a.readUntil('A')).toEqual(['A mixed 1']);
    expect(await a.readUntil('A')).toEqual(['A Mixed 2']);
    expect(await a.readUntil('A')).toEqual(['A shared 3']);
    expect(await b.readUntil('A')).toEqual(['A shared 3']);
    expect((await sender.sendAndRead(query('select 1'))).join()).not.toContain('A ');
  });

  it('applies LISTEN and NOTIFY when their transaction commits', async () => {
    const [client, sender] = [await open(), await open()];
    await client.sendAndRead(query('begin; listen undone'));
    await client.sendAndRead(query('rollback'));
    await client.sendAndRead(query('listen failed; select 1/0'));
    await client.sendAndRead(query('begin; listen done'));
    await client.sendAndRead(query('commit'));
    await sender.sendAndRead(query('begin; notify done, $$too early$$'));
    await sender.sendAndRead(query('rollback'));
    await sender.sendAndRead(query(`notify undone; notify failed; notify done, 'in time'`));
    expect(await client.readUntil('A')).toEqual(['A done in time']);
  });

  it('keeps notifying others when a client unlistens or disconnects', async () => {
    const [a, b, c, sender] = [await open(), await open(), await open(), await open()];
    for (const client of [a, b, c]) await client.sendAndRead(query('listen news'));
    await a.sendAndRead(query('unlisten news'));
    b.socket.destroy();
    await a.sendAndRead(query('listen other'));
    await a.sendAndRead(query('unlisten *'));
    await sender.sendAndRead(query(`notify other; notify news, 'x'`));
    expect(await c.readUntil('A')).toEqual(['A news x']);
    expect((await a.sendAndRead(query('select 1'))).join()).not.toContain('A ');
  });

  it("delivers a notification to its own sender, with the sender's process id", async () => {
    const client = await open();
    await client.sendAndRead(query('listen self'));
    client.send(query(`notify self, 'me'`));
    expect((await client.readUntil('A')).at(-1)).toBe('A self me');
  });
});
