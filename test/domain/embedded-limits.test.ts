import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { frame } from '../../src/domain/embedded/frames.ts';
import type { Limits } from '../../src/domain/embedded/limits.ts';
import { type Embedded, startEmbedded } from '../../src/domain/embedded/start-embedded.ts';
import { migratedArchive } from '../support/database.ts';
import {
  bind,
  execute,
  flush,
  openWireClient,
  parse,
  query,
  sync,
  type WireClient,
} from '../support/wire-client.ts';

describe('the limits of the embedded database', () => {
  const started: Embedded[] = [];
  const start = async (limits: Partial<Limits> = {}) => {
    const database = await startEmbedded({
      dataDir: null,
      archiveFile: await migratedArchive(),
      limits,
    });
    started.push(database);
    const open = (parameters?: Record<string, string>) => openWireClient(database.url, parameters);
    return { url: database.url, open };
  };
  const isWorking = async (client: WireClient) =>
    expect(await client.ask(query('select 42'))).toContain('D 42');

  afterEach(async () => {
    await Promise.all(started.splice(0).map((database) => database.stop()));
  });

  it('refuses a wrong password, another database and an unknown role', async () => {
    const { url, open } = await start({ startupMs: 2_000 });
    const wrong = new URL(url);
    wrong.password = 'guessed';
    await expect(openWireClient(wrong.href)).rejects.toThrow('E 28P01');
    await expect(open({ database: 'other' })).rejects.toThrow('E 3D000');
    await expect(open({ user: 'nobody' })).rejects.toThrow('E 22023');
    await expect(open({ nonsense: '1' })).rejects.toThrow('E 42704');
    await expect(open({ replication: 'database' })).rejects.toThrow('E 0A000');
    await isWorking(await open());
  });

  it('answers encryption and cancel requests, and cuts off who never says anything', async () => {
    const { url, open } = await start({ startupMs: 300 });
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

  it('ends a client that leaves a transaction open, rolled back, for those who wait', async () => {
    const { open } = await start({ idleInTransactionMs: 300 });
    const [worker, sleeper] = [await open(), await open()];
    await worker.ask(query('create table t (n int)'));
    await sleeper.ask(query('begin; insert into t values (1)'));
    expect(await worker.ask(query('select count(*) from t'))).toContain('D 0');
    expect(await sleeper.closed()).toEqual(['E 25P03']);
    const between = await open();
    between.send(parse('', 'insert into t values (2)'), bind('', ''), execute(''), flush);
    expect(await worker.ask(query('select count(*) from t'))).toContain('D 0');
    expect((await between.closed()).at(-1)).toBe('E 25P03');
  });

  it('does not read on for a client that does not read its answers', async () => {
    const { open } = await start();
    const [slow, other] = [await open(), await open()];
    await other.ask(query('create sequence answers'));
    slow.socket.pause();
    const sql = `select nextval('answers') || repeat('x', 4000000)`;
    slow.send(...Array.from({ length: 30 }, () => query(sql)));
    await isWorking(other);
    await isWorking(other);
    const [, row = ''] = await other.ask(query('select last_value from answers'));
    expect(Number(row.slice(2))).toBeLessThan(20);
    slow.socket.resume();
    for (let n = 1; n <= 30; n += 1) {
      const [, answer = ''] = await slow.until('Z');
      expect(answer.length).toBe(4_000_000 + `D ${n}`.length);
      expect(answer.startsWith(`D ${n}x`)).toBe(true);
    }
  });

  it('drops a listener that does not read, and goes on notifying others', async () => {
    const { open } = await start({ maxUnsentBytes: 50_000 });
    const [deaf, listener, sender] = [await open(), await open(), await open()];
    await deaf.ask(query('listen news'));
    await listener.ask(query('listen news'));
    deaf.socket.pause();
    const payload = 'x'.repeat(7_900);
    const count = 2_000; // more than the kernel's socket buffers hold
    for (let n = 0; n < count; n += 1) {
      await sender.ask(query(`notify news, '${n} ${payload}'`));
      expect(await listener.until('A')).toEqual([`A news ${n} ${payload}`]);
    }
    deaf.socket.resume();
    expect((await deaf.closed()).length).toBeLessThan(count);
  });

  it('refuses more clients than allowed', async () => {
    const { open } = await start({ maxConnections: 2 });
    const [first] = [await open(), await open()];
    await expect(open()).rejects.toThrow('E 53300');
    first?.send(frame('X'));
    await first?.closed();
    await isWorking(await open());
  });

  it('ends a client whose message or unit is too large', async () => {
    const { open } = await start({ maxMessageBytes: 100_000 });
    const [large, endless, other] = [await open(), await open(), await open()];
    large.send(query(`select '${'x'.repeat(200_000)}'`));
    expect(await large.closed()).toEqual(['E 54000']);
    endless.send(...Array.from({ length: 2_000 }, () => parse('', 'select 1')));
    expect(await endless.closed()).toEqual(['E 54000']);
    await isWorking(other);
  });

  it('ends a client whose answer is too large, rolled back', async () => {
    const { open } = await start({ maxAnswerBytes: 100_000 });
    const [greedy, other] = [await open(), await open()];
    await other.ask(query('create table t (n int)'));
    await greedy.ask(query('begin; insert into t values (1)'));
    greedy.send(query(`select repeat('x', 200000)`));
    expect(await greedy.closed()).toEqual(['E 54000']);
    expect(await other.ask(query('select count(*) from t'))).toContain('D 0');
  });

  it('ends a client that sends unknown messages', async () => {
    const { open } = await start();
    const other = await open();
    for (const type of ['z', 'F', 'p', '\0']) {
      const client = await open();
      client.send(frame(type, Buffer.from([0])));
      expect(await client.closed()).toEqual(['E 08P01']);
    }
    await isWorking(other);
  });

  it('survives any content of known messages', async () => {
    const { open } = await start();
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
        client.send(frame('QPBDEC'[random(6)] ?? 'Q', body));
      }
      client.send(sync, frame('X'));
      await client.closed();
    }
    await isWorking(await open());
  });

  it('runs what a client sent before it left', async () => {
    const { open } = await start();
    const [leaving, other] = [await open(), await open()];
    leaving.send(query('create table t (n int)'), query('insert into t values (1)'), frame('X'));
    await leaving.closed();
    expect(await other.ask(query('select count(*) from t'))).toContain('D 1');
  });

  it('tells its clients when it stops', async () => {
    const database = await startEmbedded({ dataDir: null, archiveFile: await migratedArchive() });
    const client = await openWireClient(database.url);
    await client.ask(query('begin'));
    await database.stop();
    expect(await client.closed()).toEqual(['E 57P01']);
  });
});
