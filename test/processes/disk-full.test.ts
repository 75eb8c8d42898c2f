import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectErrorBody, restClient } from '../support/api/rest-client.ts';
import { serverUrl } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let dataDir: string;
let isMounted = false;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  if (serverUrl() !== undefined) return;
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', dataDir], { stdio: 'pipe' });
    isMounted = true;
  } catch {
    // Without the mount, the test is reported as skipped.
  }
});
afterAll(async () => {
  await running?.kill();
  if (isMounted) execFileSync('umount', [dataDir]);
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

/** Writes to a file until the disk is completely full. */
function fillDisk(): void {
  for (const size of [1_048_576, 4_096]) {
    const file = openSync(join(dataDir, 'filling'), 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!String(error).includes('ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }
}

async function listReserve(): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => /^disk-reserve-\d$/.test(name));
}

test('on a full disk, writes fail with 503, reads go on, and the service starts again with and without room', {
  timeout: 300_000,
}, async ({ skip }) => {
  if (!isMounted) return skip('needs the embedded database and the permission to mount a tmpfs');
  running = await startServiceProcess({ DATA_DIR: dataDir });
  const secret = running.key ?? '';
  const client = () => restClient(`${running?.url}/api/v1`, secret);
  const create = () => client().post('/knowledge/documents', { name: 'A', content: 'At nine.' });
  const expectReadOnly = async () => {
    const writes = [
      create(),
      client().upload('/knowledge/documents/upload', new File(['At nine.'], 'Tours.txt')),
      client().post('/chat', { message: 'Which files can I upload?' }),
      client().post('/chat', { message: 'Which files can I upload?', stream: true }),
    ];
    for (const write of writes) {
      const error = await expectErrorBody(write);
      expect(error).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
      expect(error.message).toContain('disk of the service is full');
      expect(JSON.stringify(error)).not.toContain(dataDir);
    }
    expect((await client().get('/knowledge/documents')).status).toBe(200);
    const found = await client().post('/knowledge/search', { query: 'Which files can I upload?' });
    expect((await found.json()).results.length).toBeGreaterThan(0);
  };
  await waitUntil(
    async () => {
      const { data } = await (await client().get('/knowledge/documents')).json();
      return data.some(({ status }: { status: string }) => status === 'READY');
    },
    { timeoutMs: 60_000 },
  );
  await waitUntil(async () => (await listReserve()).length === 2, { timeoutMs: 60_000 });

  fillDisk();
  for (let round = 0; round < 10; round += 1) await expectReadOnly();
  expect(await listReserve()).toHaveLength(1);

  fillDisk();
  await running.kill();
  fillDisk();
  running = await startServiceProcess({ DATA_DIR: dataDir });
  await expectReadOnly();

  await rm(join(dataDir, 'filling'));
  await running.kill();
  running = await startServiceProcess({ DATA_DIR: dataDir });
  const created = await (await create()).json();
  await waitUntil(
    async () => {
      const document = await client().get(`/knowledge/documents/${created.id}`);
      return (await document.json()).status === 'READY';
    },
    { timeoutMs: 60_000 },
  );
});
