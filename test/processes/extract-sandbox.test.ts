import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forkSandbox, isNetworkRemoved } from '../../src/extract/process/fork-sandbox.ts';

const entry = fileURLToPath(new URL('../fixtures/extract/hostile-reader.mjs', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

let child: ChildProcess;
let server: Server;
let dataDir: string;
let requests = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'data-of-tenants-'));
  await writeFile(join(dataDir, 'postgres-url'), 'secret');
  server = createServer((_request, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  server.on('connection', () => {
    requests += 1;
  });
  await once(server, 'listening');
  child = forkSandbox(entry, { heapMegabytes: 100 });
});
afterAll(async () => {
  child?.kill('SIGKILL');
  server?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function attempt(
  name: string,
  argument?: unknown,
): Promise<{ value?: unknown; code?: string }> {
  const reply = once(child, 'message');
  child.send({ name, argument });
  return (await reply)[0];
}

describe('a reader that a hostile file has taken over', () => {
  test.each([
    ['the users of the system', () => '/etc/passwd'],
    ['the data directory', () => join(dataDir, 'postgres-url')],
    ['the folder above the code, with .env and ./data', () => join(root, 'README.md')],
    ['its own environment', () => '/proc/self/environ'],
  ])('cannot read %s', async (_, path) => {
    expect(await attempt('read', path())).toEqual({ code: 'ERR_ACCESS_DENIED' });
  });

  test('cannot write, start a process or a thread, and has no environment', async () => {
    const denied = { code: 'ERR_ACCESS_DENIED' };
    expect(await attempt('write', join(dataDir, 'x'))).toEqual(denied);
    expect(await attempt('spawn')).toEqual(denied);
    expect(await attempt('thread')).toEqual(denied);
    const { value } = await attempt('environment');
    expect(value).toBeLessThanOrEqual(1); // the number of the IPC channel
  });

  test.runIf(isNetworkRemoved())('cannot connect to a server of this machine', async () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    const { code } = await attempt('connect', port);
    expect(code).toMatch(/^(?:ENETUNREACH|ECONNREFUSED|ERR_ACCESS_DENIED)$/);
    expect(requests).toBe(0);
  });

  test('can read the code, which it consists of', async () => {
    const { value } = await attempt('read', join(root, 'src/extract/process/extract-worker.ts'));
    expect(value).toBeGreaterThan(100);
  });
});
