import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { createEmptyDatabase, serverUrl, type TestDatabase } from '../support/database.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { restClient } from '../support/rest-client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let dataDir: string;
let database: TestDatabase | null;
let settings: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-cli-'));
  database = serverUrl() === undefined ? null : await createEmptyDatabase();
  settings = { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) };
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

let service: ServiceProcess | undefined;

test('migrate brings an empty database up to date, and then has nothing to do', {
  timeout: 60_000,
}, async () => {
  expect((await runCli(['migrate'], settings)).applied.length).toBeGreaterThan(0);
  expect((await runCli(['migrate'], settings)).applied).toEqual([]);
});

test('seed and keys work without a running service', { timeout: 60_000 }, async () => {
  const demo = await runCli(['seed'], settings);
  expect(demo.secret).toMatch(/^sk_/);
  const { secret, id } = await runCli(
    ['keys', 'create', '--scopes', 'chat,knowledge:read'],
    settings,
  );
  const keys = await runCli(['keys', 'list'], settings);
  expect(keys).toHaveLength(2);
  expect(JSON.stringify(keys)).not.toContain(secret.slice(10, 40));
  expect(await runCli(['keys', 'revoke', id], settings)).toMatchObject({ id });
});

describe('while the service runs', () => {
  beforeAll(async () => {
    service = await startServiceProcess(settings);
  }, 60_000);

  test('a new key works at once, and a revoked one does not', { timeout: 60_000 }, async () => {
    const { secret, id } = await runCli(['keys', 'create'], settings);
    const client = restClient(`${service?.url}/api/v1`, secret);
    expect((await client.get('/knowledge/documents')).status).toBe(200);
    await runCli(['keys', 'revoke', id], settings);
    expect((await client.get('/knowledge/documents')).status).toBe(401);
  });

  test('a token signs an operator in', async () => {
    const { token } = await runCli(
      ['token', '--role', 'authenticated', '--email', 'Ada@Example.com'],
      settings,
    );
    const { me } = await graphqlClient(service?.url ?? '', token).data<{ me: object }>(
      '{ me { email memberships { id } } }',
    );
    expect(me).toEqual({ email: 'ada@example.com', memberships: [] });
  });

  test('re-indexing embeds nothing when the model is the same', { timeout: 60_000 }, async () => {
    expect(await runCli(['reindex'], settings)).toMatchObject({ embeddedChunks: 0 });
  });
});

test.each([
  [['token'], /--role must be/],
  [['token', '--role', 'authenticated'], /--email is needed/],
  [['keys', 'create', '--scopes', 'chat,fly'], /Unknown scope fly/],
  [['keys', 'revoke', 'nothing'], /API key not found/],
  [['keys', 'create', '--project', 'nothing'], /Project not found/],
  [['migrate', '--unknown'], /Unknown option/],
])('%j says what is wrong', { timeout: 60_000 }, async (args, message) => {
  await expect(runCli(args, settings)).rejects.toThrow(message);
});
