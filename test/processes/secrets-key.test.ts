import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Stores a secret that the key of the service encrypts. */
async function createWebhook(service: ServiceProcess): Promise<void> {
  const settings = { DATA_DIR: dataDir };
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  const [{ id: projectId }] = await runCli(['projects', 'list'], settings);
  await graphqlClient(service.url, token).data(
    `mutation ($id: ID!) {
       createWebhookEndpoint(input: { projectId: $id, url: "https://example.com/hook" }) { secret }
     }`,
    { id: projectId },
  );
}

test('the key is created once, and can be replaced by a configured one', {
  timeout: 240_000,
}, async () => {
  const settings = { DATA_DIR: dataDir };
  const service = await startServiceProcess(settings);
  const keyFile = join(dataDir, 'secrets-key');
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const first = await readFile(keyFile, 'utf8');
  await createWebhook(service);
  await service.stop();

  const sources = { encrypted: 0, replaced: 0 };
  const widgets = { encrypted: 0, replaced: 0 };
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const configured = { ...settings, SECRETS_KEY };
  await (await startServiceProcess(configured)).stop();
  expect(await runCli(['secrets', 'rotate'], configured)).toEqual({
    encrypted: 0,
    replaced: 0,
    sources,
    widgets,
  });
  expect(await readFile(keyFile, 'utf8')).toBe(first);

  await rm(keyFile);
  await (await startServiceProcess(configured)).stop();
  const other = { ...settings, SECRETS_KEY: randomBytes(32).toString('base64') };
  await expect(startServiceProcess(other)).rejects.toThrow(
    /SECRETS_KEY and DATA_DIR\/secrets-key lack the key [0-9a-f]{16}, which encrypts [^\n]+\n$/,
  );
  const replace = ['secrets', 'rotate', '--replace-unreadable'];
  expect(await runCli(replace, other)).toEqual({ encrypted: 0, replaced: 1, sources, widgets });
  await (await startServiceProcess(other)).stop();
});

test('a start without the key of stored secrets says how to restore it, and creates no other key', {
  timeout: 240_000,
}, async () => {
  const settings = { DATA_DIR: dataDir };
  const service = await startServiceProcess(settings);
  await createWebhook(service);
  await service.stop();
  const [keyFile, backup] = [join(dataDir, 'secrets-key'), join(dataDir, 'backup')];
  const advice =
    /lack the key [0-9a-f]{16}, .+ Copy the file secrets-key of the backup to DATA_DIR/;

  await rename(keyFile, backup);
  await expect(startServiceProcess(settings)).rejects.toThrow(advice);
  await runCli(['projects', 'list'], settings);
  await expect(runCli(['secrets', 'rotate'], settings)).rejects.toThrow(advice);
  await expect(stat(keyFile)).rejects.toThrow('ENOENT');

  await writeFile(keyFile, randomBytes(32).toString('base64'));
  await expect(startServiceProcess(settings)).rejects.toThrow(advice);

  await rename(backup, keyFile);
  await (await startServiceProcess(settings)).stop();

  await rm(keyFile);
  const replaced = await runCli(['secrets', 'rotate', '--replace-unreadable'], settings);
  expect(replaced).toMatchObject({ replaced: 1 });
  await (await startServiceProcess(settings)).stop();
});
