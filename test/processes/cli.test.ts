import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { graphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
import {
  createEmptyDatabase,
  databaseSettings,
  serverUrl,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';

/** Each command is a separate process, which takes seconds to start on a busy machine. */
vi.setConfig({ testTimeout: 180_000 });

let dataDir: string;
let database: TestDatabase | null;
let settings: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-cli-'));
  database = serverUrl() === undefined ? null : await createEmptyDatabase();
  settings = { DATA_DIR: dataDir, ...(database && databaseSettings(database)) };
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

let service: ServiceProcess | undefined;

test('--version prints the version alone', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'dist/src/cli/cli.js',
    '--version',
  ]);
  expect(stdout).toBe(`${packageJson.version}\n`);
});

test('migrate updates an empty database, and changes nothing on a second run', async () => {
  expect((await runCli(['migrate'], settings)).applied.length).toBeGreaterThan(0);
  expect((await runCli(['migrate'], settings)).applied).toEqual([]);
});

test('seed and keys work without a running service; a second seed uses the demo project again', async () => {
  const first = await runCli(['seed'], settings);
  const demo = await runCli(['seed', '--owner', 'Ana@example.com'], settings);
  expect(demo).toEqual({
    projectId: first.projectId,
    secret: expect.stringMatching(/^sk_/),
    signInPath: expect.stringMatching(/^\/dashboard\/#sign-in=.{20}/),
  });
  expect(demo.secret).not.toBe(first.secret);
  const owners = await runCli(['members', 'list'], settings);
  expect(owners.map(({ email }: { email: string }) => email)).toEqual([
    'operator@localhost',
    'ana@example.com',
  ]);
  const { secret, id } = await runCli(
    ['keys', 'create', '--scopes', 'chat,knowledge:read'],
    settings,
  );
  const keys = await runCli(['keys', 'list'], settings);
  expect(keys).toHaveLength(3);
  expect(JSON.stringify(keys)).not.toContain(secret.slice(10, 40));
  expect(await runCli(['keys', 'revoke', id], settings)).toMatchObject({ id });
});

describe('evaluate without a running service', () => {
  beforeAll(async () => {
    const file = join(dataDir, 'questions.jsonl');
    const lines = Array.from({ length: 100 }, (_, n) =>
      JSON.stringify({ question: `Who invented telephone ${n}?`, mustRefuse: true }),
    );
    await writeFile(file, lines.join('\n'));
    await runCli(['questions', 'import', file, '--set', 'Unknown'], settings);
  });

  test('asks the questions itself', async () => {
    const call = ['evaluate', '--set', 'Unknown', '--fail-under', 'refusedRight=1'];
    const run = await runCli(call, settings);
    expect(run).toMatchObject({ status: 'DONE', progress: { done: 100, total: 100 } });
    expect(run.bounds).toEqual([{ figure: 'refusedRight', bound: 1, value: 1, isMet: true }]);
  });

  test('fails with exit code 1 if a figure is outside its bound', async () => {
    const call = ['evaluate', '--set', 'Unknown', '--fail-under', 'latencyP50Ms=0'];
    await expect(runCli(call, settings)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"isMet":false'),
    });
  });

  test.each([
    ['Other', 'mrr=1', 1, 'NOT_FOUND'],
    ['Unknown', 'speed=1', 2, 'USAGE'],
  ])('of the set %s with the bound %s fails with exit code %d', async (set, bound, code, name) => {
    const call = ['evaluate', '--set', set, '--fail-under', bound];
    const stderr = expect.stringContaining(`"code":"${name}"`);
    await expect(runCli(call, settings)).rejects.toMatchObject({ code, stderr });
  });

  test('cancels its run when it is interrupted', async () => {
    const args = ['dist/src/cli/cli.js', 'evaluate', '--set', 'Unknown', '--json'];
    const command = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    command.stderr.once('data', () => command.kill('SIGINT'));
    const [output, [code]] = await Promise.all([text(command.stdout), once(command, 'close')]);
    expect(JSON.parse(output)).toMatchObject({ status: 'CANCELLED' });
    expect(code).toBe(1);
  });
});

describe('while the service runs', () => {
  beforeAll(async () => {
    service = await startServiceProcess(settings);
  }, 60_000);

  test('a new key works immediately, and a revoked key stops working immediately', async () => {
    const { secret, id } = await runCli(['keys', 'create'], settings);
    const client = restClient(`${service?.url}/api/v1`, secret);
    expect((await client.get('/knowledge/documents')).status).toBe(200);
    await runCli(['keys', 'revoke', id], settings);
    expect((await client.get('/knowledge/documents')).status).toBe(401);
  });

  test('a token signs in an operator', async () => {
    const { token } = await runCli(
      ['token', '--role', 'authenticated', '--email', 'Ada@Example.com'],
      settings,
    );
    const { me } = await graphqlClient(service?.url ?? '', token).data<{ me: object }>(
      '{ me { email memberships { id } } }',
    );
    expect(me).toEqual({ email: 'ada@example.com', memberships: [] });
  });

  test('organizations and projects are created, found by name and listed', async () => {
    const made = await runCli(
      ['organizations', 'create', '--name', 'Harbour Lights', '--plan', 'pro'],
      settings,
    );
    expect(made).toEqual({ id: expect.any(String), name: 'Harbour Lights', plan: 'pro' });
    expect(await runCli(['organizations', 'list'], settings)).toContainEqual({
      ...made,
      createdAt: expect.any(String),
    });
    const project = await runCli(
      ['projects', 'create', '--name', 'Front desk', '--organization', made.id],
      settings,
    );
    expect(await runCli(['projects', 'list', '--organization', made.id], settings)).toEqual([
      {
        id: project.id,
        organizationId: made.id,
        name: 'Front desk',
        createdAt: expect.any(String),
      },
    ]);
    await expect(runCli(['keys', 'create'], settings)).rejects.toThrow(/several projects/);
    expect(await runCli(['keys', 'create', '--project', project.id], settings)).toMatchObject({
      projectId: project.id,
    });
  });

  test('evaluate works beside the service, with and without a key', async () => {
    const [project] = await runCli(['projects', 'list'], settings);
    const { id } = project;
    const local = ['evaluate', '--set', 'Unknown', '--project', id];
    expect(await runCli(local, settings)).toMatchObject({ status: 'DONE' });
    const { secret } = await runCli(['keys', 'create', '--project', id], settings);
    const remote = ['evaluate', '--set', 'Unknown', '--url', service?.url ?? '', '--key', secret];
    expect(await runCli(remote, settings)).toMatchObject({ status: 'DONE' });
  });

  test('a sign-in link says whether its operator is a member of an organization', async () => {
    const [{ id }] = await runCli(['organizations', 'list'], settings);
    const email = 'Ann@harbour.example';
    const signIn = ['sign-in', '--email', email];
    expect(await runCli(signIn, settings)).toMatchObject({ email, isMember: false });
    const organization = ['--email', email, '--organization', id];
    const invited = await runCli(
      ['members', 'invite', '--role', 'agent', ...organization],
      settings,
    );
    expect(invited).toMatchObject({ email: email.toLowerCase(), role: 'AGENT' });
    expect(await runCli(signIn, settings)).toMatchObject({ email, isMember: true });
    const renewed = await runCli(['members', 'renew', ...organization], settings);
    expect(renewed.id).toBe(invited.id);
    const preview = async (link: string) => {
      const body = JSON.stringify({ secret: link.split('#invitation=')[1] });
      const headers = { 'Content-Type': 'application/json' };
      const url = `${service?.url}/dashboard/invitation`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect([await preview(invited.link), await preview(renewed.link)]).toEqual([404, 200]);
  });

  test.each(['no-id', '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11'])(
    'the members of an unknown organization, %s, are not found',
    async (id) => {
      const call = runCli(['members', 'list', '--organization', id], settings);
      await expect(call).rejects.toThrow('"code":"NOT_FOUND"');
    },
  );

  test('an end user is exported and erased', async () => {
    const [project] = await runCli(['projects', 'list'], settings);
    const { secret } = await runCli(['keys', 'create', '--project', project.id], settings);
    const client = restClient(`${service?.url}/api/v1`, secret);
    const message = 'May I upload PDF files?';
    await client.post('/chat', { message, endUserId: 'guest 1' });

    const place = ['guest 1', '--project', project.id];
    const told = await runCli(['end-users', 'export', ...place], settings);
    expect(told.conversations).toMatchObject([{ messages: [{ content: message }, {}] }]);
    expect(await runCli(['end-users', 'erase', ...place], settings)).toMatchObject({
      conversations: 1,
      messages: 2,
    });
    expect((await runCli(['end-users', 'export', ...place], settings)).conversations).toEqual([]);
  });

  test('migrate changes nothing', async () => {
    expect(await runCli(['migrate'], settings)).toEqual({ applied: [] });
  });

  test('reindex embeds nothing when the model is unchanged', async () => {
    expect(await runCli(['reindex'], settings)).toMatchObject({ embeddedChunks: 0 });
  });
});

test.each([
  [['token'], /--role must be/],
  [['token', '--role', 'authenticated'], /--email is required/],
  [['keys', 'create', '--scopes', 'chat,fly'], /Unknown scope fly/],
  [['keys', 'create', '--project', 'a', '--organization', 'b'], /not both/],
  [['keys', 'revoke', 'a', 'b'], /Expected one argument, the id of the key/],
  [['keys'], /Unknown command .*keys create, keys list, keys revoke/],
  [['constructor'], /Unknown command/],
  [['projects', 'create'], /--name is required/],
  [['end-users', 'erase'], /Expected one argument, the end user's id/],
  [['migrate', 'twice'], /Unexpected argument/],
  [['migrate', '--unknown'], /Unknown option/],
])('%j is a usage error: exit code 2 and a JSON error', async (args, message) => {
  const error = await failure(args);
  expect(error).toEqual({
    exitCode: 2,
    error: { code: 'USAGE', message: expect.stringMatching(message) },
  });
});

test.each([
  [['keys', 'revoke', 'nothing'], 'NOT_FOUND', /API key not found/],
  [['end-users', 'erase', 'guest', '--project', 'nothing'], 'NOT_FOUND', /Project not found/],
  [['organizations', 'create', '--name', 'n', '--plan', 'gold'], 'VALIDATION_FAILED', /free, pro/],
])('%j fails: exit code 1 and a JSON error with the reason', async (args, code, message) => {
  expect(await failure(args)).toEqual({
    exitCode: 1,
    error: { code, message: expect.stringMatching(message) },
  });
});

test('invalid settings and an unreachable database are reported as such', async () => {
  expect(await failure(['migrate'], { PORT: 'high' })).toMatchObject({
    exitCode: 1,
    error: { code: 'CONFIG_INVALID' },
  });
  const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' };
  expect(await failure(['keys', 'list'], nowhere)).toMatchObject({
    exitCode: 1,
    error: { code: 'UNAVAILABLE' },
  });
});

const commandNames = [
  'migrate',
  'token',
  'seed',
  'sign-in',
  'keys create',
  'keys list',
  'keys revoke',
  'organizations list',
  'organizations create',
  'projects list',
  'projects create',
  'members invite',
  'members renew',
  'members list',
  'conversations export',
  'end-users export',
  'end-users erase',
  'secrets rotate',
  'audit export',
  'move',
  'sync',
  'questions import',
  'questions export',
  'evaluate',
  'reindex',
  'worker',
];

test('help lists every command with its usage', {
  timeout: 120_000,
}, async () => {
  const all = await runCli(['--help'], {});
  expect(all.map(({ command }: { command: string }) => command)).toEqual(commandNames);
  for (const name of commandNames.slice(2, 5)) {
    const [help, ...rest] = await runCli([...name.split(' '), '--help'], {});
    expect(help).toEqual({
      command: name,
      usage: expect.any(String),
      summary: expect.stringMatching(/\.$/),
    });
    expect(rest).toEqual([]);
  }
  expect(await runCli(['help', 'keys'], {})).toHaveLength(3);
});

/** Runs a command that must fail. Returns its exit code and JSON error. */
async function failure(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const ended: { readonly code: number; readonly stdout: string; readonly stderr: string } =
    await runCli(args, { ...settings, ...more }).then(
      () => ({ code: 0, stdout: '', stderr: '{}' }),
      (reason) => reason,
    );
  expect(ended.stdout).toBe('');
  return { exitCode: ended.code, ...JSON.parse(ended.stderr) };
}
