import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphqlClient } from '../support/graphql-client.ts';
import { runCli } from '../support/run-cli.ts';
import { startServiceProcess } from '../support/service-process.ts';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('the key is created once, and can be replaced by a configured one', {
  timeout: 240_000,
}, async () => {
  const settings = { DATA_DIR: dataDir };
  const service = await startServiceProcess(settings);
  const keyFile = join(dataDir, 'secrets-key');
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const first = await readFile(keyFile, 'utf8');
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  const [{ id: projectId }] = await runCli(['projects', 'list'], settings);
  await graphqlClient(service.url, token).data(
    `mutation ($id: ID!) {
       createWebhookEndpoint(input: { projectId: $id, url: "https://example.com/hook" }) { secret }
     }`,
    { id: projectId },
  );
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
