import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
  type WireClient,
} from '../support/wire-client.ts';

// With TEST_DATABASE_URL it runs on a real Postgres: both must answer alike.
describe('the wire protocol', () => {
  let database: TestDatabase;
  const opened: WireClient[] = [];
  const open = async (parameters?: Record<string, string>) => {
    const client = await openWireClient(database.url, parameters);
    opened.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const client = await openWireClient(database.url);
    await client.ask(query('create table numbers (n int primary key)'));
    client.socket.destroy();
  });
  afterEach(() => {
    for (const client of opened.splice(0)) client.socket.destroy();
  });
  afterAll(() => database.drop());

  it('answers an empty query, simple and extended', async () => {
    const client = await open();
    expect(await client.ask(query(''))).toEqual(['I', 'Z I']);
    const reply = await client.ask(parse('', ''), bind('', ''), execute(''), sync);
    expect(reply).toEqual(['1', '2', 'I', 'Z I']);
  });

  it('runs pipelined units one by one, an error ending only its own', async () => {
    const client = await open();
    const unit = (sql: string) => [parse('', sql), bind('', ''), execute(''), sync];
    client.send(...unit('select 1'), ...unit('select 1/0'), ...unit('select 3'));
    expect(await client.until('Z')).toEqual(['1', '2', 'D 1', 'C SELECT 1', 'Z I']);
    expect((await client.until('Z')).slice(-2)).toEqual(['E 22012', 'Z I']);
    expect(await client.until('Z')).toEqual(['1', '2', 'D 3', 'C SELECT 1', 'Z I']);
  });

  it('skips what follows an error up to the Sync', async () => {
    const client = await open();
    client.send(parse('', 'select 1/0'), bind('', ''), execute(''), flush);
    expect((await client.until('E')).at(-1)).toBe('E 22012');
    client.send(parse('', 'insert into numbers values (-1)'), bind('', ''), execute(''), flush);
    expect(await client.ask(sync)).toEqual(['Z I']);
    expect(await client.ask(query('select n from numbers where n = -1'))).not.toContain('D -1');
  });

  it('hands out a suspended portal row by row, while others wait', async () => {
    const [client, other] = [await open(), await open()];
    client.send(parse('', 'select generate_series(1, 3)'), bind('p', ''), execute('p', 2), flush);
    expect(await client.until('s')).toEqual(['1', '2', 'D 1', 'D 2', 's']);
    other.send(query('select 7'));
    client.send(execute('p', 2), flush);
    expect(await client.until('C')).toEqual(['D 3', 'C SELECT 1']);
    expect(await client.ask(sync)).toEqual(['Z I']);
    expect(await other.until('Z')).toContain('D 7');
  });

  it('keeps equal statement names of two clients apart, however long', async () => {
    const [a, b] = [await open(), await open()];
    const names = ['s', 'x'.repeat(60)];
    for (const name of names) {
      expect(await a.ask(parse(name, `select 'a'`), sync)).toEqual(['1', 'Z I']);
      expect(await b.ask(parse(name, `select 'b'`), sync)).toEqual(['1', 'Z I']);
      expect(await a.ask(bind('', name), execute(''), sync)).toContain('D a');
      expect(await b.ask(bind('', name), execute(''), sync)).toContain('D b');
      expect(await a.ask(close('S', name), sync)).toEqual(['3', 'Z I']);
      expect(await a.ask(bind('', name), execute(''), sync)).toEqual(['E 26000', 'Z I']);
      expect(await b.ask(bind('', name), execute(''), sync)).toContain('D b');
    }
  });

  it('keeps a statement whose Close was skipped after an error', async () => {
    const client = await open();
    await client.ask(parse('kept', 'select 5'), sync);
    await client.ask(parse('', 'select bad syntax from'), close('S', 'kept'), sync);
    expect(await client.ask(bind('', 'kept'), execute(''), sync)).toContain('D 5');
  });

  it('keeps the unnamed statements of two clients apart', async () => {
    const [a, b] = [await open(), await open()];
    await a.ask(parse('', `select 'a'`), sync);
    await b.ask(parse('', `select 'b'`), sync);
    expect(await a.ask(bind('', ''), execute(''), sync)).toEqual(['2', 'D a', 'C SELECT 1', 'Z I']);
    expect(await b.ask(bind('', ''), execute(''), sync)).toContain('D b');
  });

  it('does not give a client the unnamed statement of another', async () => {
    const [a, b] = [await open(), await open()];
    await a.ask(parse('', `select 'secret'`), sync);
    expect(await b.ask(bind('', ''), execute(''), sync)).toEqual(['E 26000', 'Z I']);
    await a.ask(query('select 1'));
    expect(await a.ask(bind('', ''), execute(''), sync)).toEqual(['E 26000', 'Z I']);
  });

  it('lets others have their turn while one client has much to do', async () => {
    const [busy, other] = [await open(), await open()];
    await other.ask(query('create table progress (n int)'));
    busy.send(
      ...Array.from({ length: 5000 }, (_, n) => query(`insert into progress values (${n})`)),
    );
    await busy.until('Z');
    const [, row = ''] = await other.ask(query('select count(*) from progress'));
    expect(Number(row.slice(2))).toBeGreaterThan(0);
    expect(Number(row.slice(2))).toBeLessThan(5000);
  });

  it('rolls back what a vanished client had begun, simple and extended', async () => {
    const watcher = await open();
    const inTransaction = await open();
    await inTransaction.ask(query('begin; insert into numbers values (100)'));
    inTransaction.socket.destroy();
    const beforeSync = await open();
    const insert = parse('', 'insert into numbers values (101)');
    beforeSync.send(insert, bind('', ''), execute(''), flush);
    await beforeSync.until('C');
    beforeSync.socket.destroy();
    const failed = await open();
    await failed.ask(query('begin; insert into numbers values (102)'));
    failed.send(parse('', 'select 1/0'), bind('', ''), execute(''), flush);
    await failed.until('E');
    failed.socket.destroy();
    const count = query('select count(*) from numbers where n in (100, 101, 102)');
    expect(await watcher.ask(count)).toContain('D 0');
  });

  it('refuses COPY FROM STDIN or runs it, and goes on', async () => {
    const client = await open();
    client.send(query('copy numbers from stdin'));
    await client.until('G');
    client.send(Buffer.from('66000000083230300a', 'hex')); // CopyFail
    expect((await client.until('Z')).at(-1)).toBe('Z I');
    expect(await client.ask(query('copy (select 1) to stdout'))).toContain('C COPY 1');
    expect(await client.ask(query('select 8'))).toContain('D 8');
  });

  it('answers broken messages with an error, and goes on', async () => {
    const client = await open();
    const broken = Buffer.from([0x42, 0, 0, 0, 6, 0, 0]); // Bind that ends after its names
    expect((await client.ask(broken, sync)).map((message) => message[0])).toEqual(['E', 'Z']);
    expect(await client.ask(query('select 9'))).toContain('D 9');
  });

  it('turns deep recursion into an error of the statement', async () => {
    const client = await open();
    const nested = `select ('${'['.repeat(300_000)}')::jsonb`;
    expect((await client.ask(query(nested))).map((message) => message[0])).toEqual(['E', 'Z']);
    const endless = `create function endless() returns int language plpgsql
      as 'begin return endless(); end'`;
    await client.ask(query(endless));
    expect(await client.ask(query('select endless()'))).toContain('E 54001');
    expect(await client.ask(query('select 10'))).toContain('D 10');
  });

  it('gives each client its own settings, those of its start-up packet included', async () => {
    const plain = await open();
    const own = await open({
      application_name: `o'neil \\ sons`,
      options: '-c search_path=pg_catalog,public --statement-timeout=7s -c work_mem=8\\MB',
    });
    const show = query(`select concat_ws(' ', current_setting('application_name'),
      current_setting('search_path'), current_setting('statement_timeout'),
      current_setting('work_mem'))`);
    const expected = `D o'neil \\ sons pg_catalog,public 7s 8MB`;
    expect(await own.ask(show)).toContain(expected);
    expect((await plain.ask(show)).join()).not.toContain('neil');
    await own.ask(query(`set work_mem = '9MB'; set application_name = 'renamed'`));
    await plain.ask(query('begin; set local work_mem = 1000; commit'));
    await plain.ask(query(`begin; set work_mem = '11MB'; rollback`));
    expect(await plain.ask(query('show work_mem'))).toContain('D 4MB');
    expect(await own.ask(query('show work_mem'))).toContain('D 9MB');
    await own.ask(query('reset all'));
    expect(await own.ask(show)).toContain(expected);
    await own.ask(query(`select set_config('app.tenant', 'mine', false)`));
    const tenant = query(`select coalesce(current_setting('app.tenant', true), '')`);
    expect(await plain.ask(tenant)).toContain('D ');
    expect(await own.ask(tenant)).toContain('D mine');
    await own.ask(query('discard all'));
    expect(await own.ask(tenant)).toContain('D ');
  });

  it('keeps SET ROLE to the client that ran it', async () => {
    const [a, b] = [await open(), await open()];
    const role = `role_${database.url.slice(-8).replace(/\W/g, '_').toLowerCase()}`;
    await a.ask(query(`create role ${role}`));
    await a.ask(query(`set role ${role}`));
    expect(await b.ask(query('select current_user'))).not.toContain(`D ${role}`);
    expect(await a.ask(query('select current_user'))).toContain(`D ${role}`);
    await a.ask(query(`reset role; alter role ${role} login`));
    const c = await open({ user: role });
    expect(await c.ask(query('select session_user'))).toContain(`D ${role}`);
    expect((await a.ask(query(`drop role ${role}`))).at(-1)).toBe('Z I');
    expect(await b.ask(query('select session_user'))).not.toContain(`D ${role}`);
  });

  it('closes only its own statements on DISCARD ALL and DEALLOCATE ALL', async () => {
    const [a, b] = [await open(), await open()];
    for (const command of ['discard all', 'DEALLOCATE ALL;', 'deallocate prepare all']) {
      await a.ask(parse('one', 'select 1'), sync);
      await b.ask(parse('two', 'select 2'), sync);
      expect((await a.ask(query(command))).at(-1)).toBe('Z I');
      expect(await a.ask(bind('', 'one'), execute(''), sync)).toEqual(['E 26000', 'Z I']);
      expect(await b.ask(bind('', 'two'), execute(''), sync)).toContain('D 2');
      await b.ask(close('S', 'two'), sync);
    }
  });

  it('notifies the clients that listen, and no others', async () => {
    const [a, b, sender] = [await open(), await open(), await open()];
    await a.ask(query('listen Mixed; listen "Mixed"'));
    await b.ask(parse('', 'listen shared'), bind('', ''), execute(''), sync);
    await a.ask(query('/* two */ select 1; listen shared -- here'));
    await sender.ask(query(`notify mixed, '1'`));
    await sender.ask(query(`notify "Mixed", '2'`));
    await sender.ask(query(`select pg_notify('shared', '3')`));
    expect(await a.until('A')).toEqual(['A mixed 1']);
    expect(await a.until('A')).toEqual(['A Mixed 2']);
    expect(await a.until('A')).toEqual(['A shared 3']);
    expect(await b.until('A')).toEqual(['A shared 3']);
    expect((await sender.ask(query('select 1'))).join()).not.toContain('A ');
  });

  it('lets LISTEN and NOTIFY take effect with their transaction only', async () => {
    const [client, sender] = [await open(), await open()];
    await client.ask(query('begin; listen undone'));
    await client.ask(query('rollback'));
    await client.ask(query('listen failed; select 1/0'));
    await client.ask(query('begin; listen done'));
    await client.ask(query('commit'));
    await sender.ask(query('begin; notify done, $$too early$$'));
    await sender.ask(query('rollback'));
    await sender.ask(query(`notify undone; notify failed; notify done, 'in time'`));
    expect(await client.until('A')).toEqual(['A done in time']);
  });

  it('goes on notifying others when one unlistens or leaves', async () => {
    const [a, b, c, sender] = [await open(), await open(), await open(), await open()];
    for (const client of [a, b, c]) await client.ask(query('listen news'));
    await a.ask(query('unlisten news'));
    b.socket.destroy();
    await a.ask(query('listen other'));
    await a.ask(query('unlisten *'));
    await sender.ask(query(`notify other; notify news, 'x'`));
    expect(await c.until('A')).toEqual(['A news x']);
    expect((await a.ask(query('select 1'))).join()).not.toContain('A ');
  });

  it('delivers a notification to its own sender, with its process id', async () => {
    const client = await open();
    await client.ask(query('listen self'));
    client.send(query(`notify self, 'me'`));
    expect((await client.until('A')).at(-1)).toBe('A self me');
  });
});
