import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../src/platform/embedded/start-embedded-database.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { migratedArchive } from '../support/database/database.ts';

describe('the data directory of the embedded database', { timeout: 60_000 }, () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function newDirectory(): Promise<string> {
    const parent = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
    cleanUps.push(() => rm(parent, { recursive: true, force: true }));
    return join(parent, 'data');
  }

  async function start(
    dataDir: string | null,
    onExit?: (error: Error) => void,
  ): Promise<EmbeddedDatabase> {
    const database = await startEmbeddedDatabase({
      dataDir,
      archiveFile: await migratedArchive(),
      onExit,
    });
    cleanUps.push(() => database.stop());
    return database;
  }

  async function run<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {}); // the pending query fails, too
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  function startInserting(dataDir: string): ChildProcess {
    const script = fileURLToPath(new URL('../support/database/insert-rows.ts', import.meta.url));
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
    cleanUps.push(async () => child.kill('SIGKILL'));
    return child;
  }

  it('contains every committed row after kill -9', async () => {
    const directory = await newDirectory();
    await (await start(directory)).stop();
    const child = startInserting(directory);
    let committed = -1;
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      committed = Number(line);
      if (committed === 300) child.kill('SIGKILL');
    }
    expect(committed).toBeGreaterThanOrEqual(300);
    const database = await start(directory);
    const rows = await run<{ n: number; content: string }>(database.url, 'select * from rows');
    const found = new Map(rows.map(({ n, content }) => [n, content]));
    for (let n = 0; n <= committed; n += 1) expect(found.get(n)).toBe(`row ${n}`.repeat(50));
    expect(found.has(-1)).toBe(false);
  });

  it('keeps all data across a stop and a start', async () => {
    const directory = await newDirectory();
    const first = await start(directory);
    await run(first.url, 'create table kept as select 1 as n');
    await first.stop();
    expect(await run((await start(directory)).url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('rejects a second process, names the directory and the first process, and changes nothing', async () => {
    const directory = await newDirectory();
    const database = await start(directory);
    const before = await snapshot(directory);
    const child = startInserting(directory);
    let complaint = '';
    child.stderr?.on('data', (data) => {
      complaint += data;
    });
    const [code] = await once(child, 'close');
    expect(code).not.toBe(0);
    expect(complaint).toContain(
      `The data directory ${directory} is in use by process ${process.pid}`,
    );
    await expect(startEmbeddedDatabase({ dataDir: directory })).rejects.toThrow(DomainError);
    expect(await snapshot(directory)).toEqual(before);
    expect(await run(database.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('is unlocked when the database thread crashes, and clients and onExit are notified', async () => {
    const directory = await newDirectory();
    const failures: Error[] = [];
    const database = await start(directory, (error) => failures.push(error));
    const idle = new pg.Client({ connectionString: database.url });
    await idle.connect();
    const lost = once(idle, 'error');
    await rm(join(directory, 'cluster', 'pg_wal'), { recursive: true });
    const switchLog =
      'create table t (n int); select pg_switch_wal(); create table u (n int); checkpoint';
    await expect(run(database.url, switchLog)).rejects.toThrow();
    await lost;
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('embedded database failed'),
    ]);
    await rm(join(directory, 'cluster'), { recursive: true });
    await start(directory);
  });

  it('is recreated if the first start was interrupted', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, 'cluster.unfinished', 'base'), { recursive: true });
    await writeFile(join(directory, 'cluster.unfinished', 'PG_VERSION'), '18\n');
    expect(await run((await start(directory)).url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(await readdir(directory)).not.toContain('cluster.unfinished');
  });

  it('rejects a directory of another major version of Postgres', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, 'cluster'), { recursive: true });
    await writeFile(join(directory, 'cluster', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedDatabase({ dataDir: directory })).rejects.toThrow(
      'created by Postgres 17',
    );
    expect(await readdir(join(directory, 'cluster'))).toEqual(['PG_VERSION']);
  });

  it('is inaccessible to other users of the machine', async () => {
    const directory = await newDirectory();
    await start(directory);
    expect((await stat(directory)).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'cluster'))).mode & 0o077).toBe(0);
  });

  it('can be exported as an archive that initializes another database', async () => {
    const archive = join(await newDirectory(), '..', 'archive.tar');
    const database = await start(null);
    const open = new pg.Client({ connectionString: database.url });
    await open.connect();
    await open.query(
      'create table archived as select 1 as n; begin; insert into archived values (2)',
    );
    const written = database.archiveTo(archive);
    await open.query('commit');
    await written;
    await open.end();
    await expect(database.archiveTo('/nowhere/archive.tar')).rejects.toThrow('cannot write');
    const copy = await startEmbeddedDatabase({ dataDir: null, archiveFile: archive });
    cleanUps.push(() => copy.stop());
    expect(await run(copy.url, 'select n from archived')).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

/** Returns the path, size and modification time of each file. */
async function snapshot(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  const lines = entries.map(async (entry) => {
    const { size, mtimeMs } = await stat(join(directory, entry));
    return `${entry} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
