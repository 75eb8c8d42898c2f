import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../src/platform/embedded/limits.ts';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../src/platform/embedded/start-embedded-database.ts';
import { encodeMessage } from '../../src/platform/embedded/wire-messages.ts';
import { emptyArchive } from '../support/database/database.ts';
import {
  bindMessage,
  executeMessage,
  flush,
  openPostgresWireClient,
  type PostgresWireClient,
  parse,
  query,
  sync,
} from '../support/database/postgres-wire-client.ts';

describe('the limits of the embedded database', () => {
  /** A database with the default limits. No test stops it. */
  let unlimited: EmbeddedDatabase;
  const started: EmbeddedDatabase[] = [];
  const startDatabase = async (limits: Partial<Limits> = {}) =>
    startEmbeddedDatabase({ dataDir: null, archiveFile: await emptyArchive(), limits });
  const openOn =
    ({ url }: EmbeddedDatabase) =>
    (parameters?: Record<string, string>) =>
      openPostgresWireClient(url, parameters);
  const start = async (limits: Partial<Limits>) => {
    const database = await startDatabase(limits);
    started.push(database);
    return { url: database.url, open: openOn(database) };
  };
  const isWorking = async (client: PostgresWireClient) =>
    expect(await client.sendAndRead(query('select 42'))).toContain('D 42');

  beforeAll(async () => {
    unlimited = await startDatabase();
  });
  afterAll(() => unlimited?.stop());
  afterEach(async () => {
    await Promise.all(started.splice(0).map((database) => database.stop()));
  });

  it('rejects a wrong password, another database and an unknown role', async () => {
    const { url, open } = await start({ startupTimeoutMs: 2_000 });
    const wrong = new URL(url);
    wrong.password = 'guessed';
    await expect(openPostgresWireClient(wrong.href)).rejects.toThrow('E 28P01');
    await expect(open({ database: 'other' })).rejects.toThrow('E 3D000');
    await expect(open({ user: 'nobody' })).rejects.toThrow('E 22023');
    await expect(open({ nonsense: '1' })).rejects.toThrow('E 42704');
    await expect(open({ replication: 'database' })).rejects.toThrow('E 0A000');
    await isWorking(await open());
  });

  it('answers encryption and cancel requests, and disconnects silent clients', async () => {
    const { url, open } = await start({ startupTimeoutMs: 300 });
    const say = (hex: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        let heard = '';
        socket.on('data', (data) => {
          heard += data.toString('latin1');
        });
        socket.on('close', () => resolve(heard));
        socket.write(Buffer.from(hex, 'hex'));
      });
    expect(await say('0000000804d2162f')).toMatch(/^N.*08006/s); // SSLRequest, then silence
    expect(await say('0000001004d2162e0000000100000001')).toBe(''); // CancelRequest
    expect(await say('00000008000200000000')).toContain('0A000'); // protocol 2
    expect(await say('7fffffff00030000')).toContain('54000');
    expect(await say('')).toContain('08006');
    await isWorking(await open());
  });

  it('disconnects a client that leaves a transaction open, rolls it back and serves the next', async () => {
    const { open } = await start({ idleInTransactionTimeoutMs: 300 });
    const [worker, sleeper] = [await open(), await open()];
    await worker.sendAndRead(query('create table t (n int)'));
    await sleeper.sendAndRead(query('begin; insert into t values (1)'));
    expect(await worker.sendAndRead(query('select count(*) from t'))).toContain('D 0');
    expect(await sleeper.waitForClose()).toEqual(['E 25P03']);
    const between = await open();
    between.send(
      parse('', 'insert into t values (2)'),
      bindMessage('', ''),
      executeMessage(''),
      flush,
    );
    expect(await worker.sendAndRead(query('select count(*) from t'))).toContain('D 0');
    expect((await between.waitForClose()).at(-1)).toBe('E 25P03');
  });

  it('stops reading from a client that does not read its responses', async () => {
    const open = openOn(unlimited);
    const [slow, other] = [await open(), await open()];
    await other.sendAndRead(query('create sequence answers'));
    slow.socket.pause();
    const sql = `select nextval('answers') || repeat('x', 4000000)`;
    slow.send(...Array.from({ length: 30 }, () => query(sql)));
    await isWorking(other);
    await isWorking(other);
    const [, row = ''] = await other.sendAndRead(query('select last_value from answers'));
    expect(Number(row.slice(2))).toBeLessThan(20);
    slow.socket.resume();
    for (let n = 1; n <= 30; n += 1) {
      const [, answer = ''] = await slow.readUntil('Z');
      expect(answer.length).toBe(4_000_000 + `D ${n}`.length);
      expect(answer.startsWith(`D ${n}x`)).toBe(true);
    }
  });

  it('disconnects a listener that does not read, and keeps notifying others', async () => {
    const { open } = await start({ maxUnsentBytes: 50_000 });
    const [deaf, listener, sender] = [await open(), await open(), await open()];
    await deaf.sendAndRead(query('listen news'));
    await listener.sendAndRead(query('listen news'));
    deaf.socket.pause();
    const payload = 'x'.repeat(7_900);
    const count = 2_000; // more than the kernel's socket buffers hold
    for (let n = 0; n < count; n += 1) {
      await sender.sendAndRead(query(`notify news, '${n} ${payload}'`));
      expect(await listener.readUntil('A')).toEqual([`A news ${n} ${payload}`]);
    }
    deaf.socket.resume();
    expect((await deaf.waitForClose()).length).toBeLessThan(count);
  });

  it('rejects clients above the maximum', async () => {
    const { open } = await start({ maxConnections: 2 });
    const [first] = [await open(), await open()];
    await expect(open()).rejects.toThrow('E 53300');
    first?.send(encodeMessage('X'));
    await first?.waitForClose();
    await isWorking(await open());
  });

  it('disconnects a client whose message or message batch is too large', async () => {
    const { open } = await start({ maxMessageBytes: 100_000 });
    const [large, endless, other] = [await open(), await open(), await open()];
    large.send(query(`select '${'x'.repeat(200_000)}'`));
    expect(await large.waitForClose()).toEqual(['E 54000']);
    endless.send(...Array.from({ length: 2_000 }, () => parse('', 'select 1')));
    expect(await endless.waitForClose()).toEqual(['E 54000']);
    await isWorking(other);
  });

  it('disconnects a client whose response is too large, and rolls back', async () => {
    const { open } = await start({ maxResponseBytes: 100_000 });
    const [greedy, other] = [await open(), await open()];
    await other.sendAndRead(query('create table t (n int)'));
    await greedy.sendAndRead(query('begin; insert into t values (1)'));
    greedy.send(query(`select repeat('x', 200000)`));
    expect(await greedy.waitForClose()).toEqual(['E 54000']);
    expect(await other.sendAndRead(query('select count(*) from t'))).toContain('D 0');
  });

  it('disconnects a client that sends unknown messages', async () => {
    const open = openOn(unlimited);
    const other = await open();
    for (const type of ['z', 'F', 'p', '\0']) {
      const client = await open();
      client.send(encodeMessage(type, Buffer.from([0])));
      expect(await client.waitForClose()).toEqual(['E 08P01']);
    }
    await isWorking(other);
  });

  it('survives arbitrary content in known messages', async () => {
    const open = openOn(unlimited);
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const client = await open();
      for (let n = 0; n < 4; n += 1) {
        const body = Buffer.from(
          Array.from({ length: random(24) }, () => random(5) && random(256)),
        );
        client.send(encodeMessage('QPBDEC'[random(6)] ?? 'Q', body));
      }
      client.send(sync, encodeMessage('X'));
      await client.waitForClose();
    }
    await isWorking(await open());
  });

  it('runs what a client sent before it disconnected', async () => {
    const open = openOn(unlimited);
    const [leaving, other] = [await open(), await open()];
    leaving.send(
      query('create table t (n int)'),
      query('insert into t values (1)'),
      encodeMessage('X'),
    );
    await leaving.waitForClose();
    expect(await other.sendAndRead(query('select count(*) from t'))).toContain('D 1');
  });

  it('notifies its clients on shutdown', async () => {
    const database = await startDatabase();
    const client = await openPostgresWireClient(database.url);
    await client.sendAndRead(query('begin'));
    await database.stop();
    expect(await client.waitForClose()).toEqual(['E 57P01']);
  });
});
