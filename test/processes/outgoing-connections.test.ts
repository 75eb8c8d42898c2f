import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { serverUrl } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let folder: string;
let service: ServiceProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grounded-chat-connections-'));
});
afterEach(async () => {
  await service?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const recording = () => ({
  CONNECTIONS_FILE: join(folder, 'connections'),
  NODE_OPTIONS: `--import ${resolve('test/support/record-connections.mjs')}`,
});
const recorded = () =>
  new Set(readFileSync(join(folder, 'connections'), 'utf8').trimEnd().split('\n'));

test('the recording shows the host of a request', () => {
  const request = "await fetch('http://models.invalid/').catch(() => {})";
  spawnSync(process.execPath, ['--input-type=module', '-e', request], {
    env: { PATH: process.env.PATH, ...recording() },
  });
  expect(recorded()).toEqual(new Set(['models.invalid']));
});

test.skipIf(serverUrl() !== undefined)(
  'without settings, the service connects to its own machine only, from the start to an answer and the stop',
  { timeout: 120_000 },
  async () => {
    service = await startServiceProcess({
      DATA_DIR: join(folder, 'data'),
      HOME: folder,
      ...recording(),
    });
    const client = restClient(`${service.url}/api/v1`, service.key ?? '');
    await waitUntil(async () => {
      const { data } = await (await client.get('/knowledge/documents')).json();
      return data.some(({ status }: { status: string }) => status === 'READY');
    });
    const answer = await client.post('/chat', { message: 'How are API keys stored?' });
    expect((await answer.json()).content).toContain('SHA-256');
    await fetch(`${service.url}/dashboard/`);
    expect(await service.stop()).toBe(0);
    expect(recorded()).toEqual(new Set(['127.0.0.1']));
    // The telemetry of ONNX Runtime is native code, so its connections are not recorded. It first stores an id here.
    expect(readdirSync(folder).sort()).toEqual(['connections', 'data']);
  },
);
