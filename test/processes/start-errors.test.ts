import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServiceProcess } from '../support/programs/service-process.ts';

const run = promisify(execFile);
let parent: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
  const service = await startServiceProcess({ DATA_DIR: join(parent, 'intact') });
  await service.stop();
}, 60_000);
afterAll(() => rm(parent, { recursive: true, force: true }));

/** Starts the service, which must fail to start. Returns its standard error. */
async function startAndFail(settings: Record<string, string>): Promise<string> {
  const { code, stderr } = await run(process.execPath, ['dist/src/main.js'], {
    timeout: 55_000,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ...settings },
  }).then(
    () => ({ code: 0, stderr: '' }),
    (error) => error,
  );
  expect(code).toBe(1);
  return stderr;
}

/** Returns a copy of the intact data directory. */
async function copyOfData(name: string): Promise<string> {
  const copy = join(parent, name);
  await cp(join(parent, 'intact'), copy, { recursive: true });
  return copy;
}

describe('a start that cannot succeed prints one plain line, without a stack', {
  timeout: 60_000,
}, () => {
  test('a data directory that is a file', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    expect(await startAndFail({ DATA_DIR: file })).toBe(
      `Cannot use the data directory: EEXIST: file already exists, mkdir '${file}'. ` +
        'Check DATA_DIR: it must be a folder that this user may write to.\n',
    );
    expect(await startAndFail({ DATA_DIR: join(file, 'data') })).toMatch(
      /^Cannot use the data directory: ENOTDIR: .*\n$/,
    );
  });

  test.skipIf(process.platform !== 'linux')('a data directory that cannot be created', async () => {
    expect(await startAndFail({ DATA_DIR: '/proc/grounded-chat/data' })).toBe(
      "Cannot use the data directory: ENOENT: no such file or directory, mkdir '/proc/grounded-chat'. " +
        'Check DATA_DIR: it must be a folder that this user may write to.\n',
    );
  });

  test('a damaged database', async () => {
    const directory = await copyOfData('damaged');
    await writeFile(join(directory, 'postgres/cluster/global/pg_control'), Buffer.alloc(100));
    expect(await startAndFail({ DATA_DIR: directory })).toMatch(
      /^The embedded database did not start: could not read file "global\/pg_control".*\. Restore a backup .*\n$/,
    );
  });

  test('a database without its tables', async () => {
    const directory = await copyOfData('emptied');
    await rm(join(directory, 'postgres/cluster/base'), { recursive: true });
    expect(await startAndFail({ DATA_DIR: directory })).toMatch(
      /^The embedded database did not start: .*\. Restore a backup .*\n$/,
    );
  });

  test('an empty secret', async () => {
    const directory = join(parent, 'no-secret');
    await mkdir(directory);
    await writeFile(join(directory, 'jwt-secret'), '');
    expect(await startAndFail({ DATA_DIR: directory })).toContain(
      `${directory}/jwt-secret is empty: delete the file to create a new secret\n`,
    );
  });

  test('a port that another program uses', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const settings = { DATA_DIR: await copyOfData('port'), PORT: String(port) };
    expect(await startAndFail(settings)).toMatch(
      /^Cannot listen: listen EADDRINUSE: .* Choose another one: PORT=3001 npm start\n$/,
    );
    server.close();
  });

  test('a host that is not an address of this machine', async () => {
    const settings = { DATA_DIR: await copyOfData('host'), HOST: '192.0.2.1' };
    expect(await startAndFail(settings)).toMatch(
      /^Cannot listen: listen EADDRNOTAVAIL: .*192\.0\.2\.1.* HOST must be an address of this machine.*\n$/,
    );
    expect(await startAndFail({ ...settings, HOST: 'no-such-host.invalid' })).toMatch(
      /^Cannot listen: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) .* HOST must be an address of this machine.*\n$/,
    );
  });

  test('a misspelt setting is named before the error, without its value', async () => {
    const settings = { DATA_DIR: await copyOfData('typo'), HOST: '192.0.2.1', PROT: '4000' };
    expect(await startAndFail(settings)).toMatch(/^PROT: did you mean PORT\?\nCannot listen/);
  });

  test('a database that refuses the connection', async () => {
    const url = 'postgresql://postgres@127.0.0.1:1/postgres';
    expect(await startAndFail({ DATA_DIR: join(parent, 'unused'), DATABASE_URL: url })).toBe(
      'Cannot connect to the database: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL.\n',
    );
  });

  test('several database hosts of which none can be reached', async () => {
    const url = 'postgresql://me:hunter2@127.0.0.1:1,127.0.0.1:2/postgres';
    expect(await startAndFail({ DATA_DIR: join(parent, 'unused'), DATABASE_URL: url })).toBe(
      'Cannot connect to the database: no host of the database accepts writes ' +
        '(127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2). ' +
        'Check DATABASE_URL.\n',
    );
  });

  test.runIf(process.env.TEST_DATABASE_URL)('a database that does not exist', async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = '/missing';
    expect(await startAndFail({ DATA_DIR: join(parent, 'unused'), DATABASE_URL: url.href })).toBe(
      'Cannot connect to the database: database "missing" does not exist. Check DATABASE_URL.\n',
    );
  });
});
