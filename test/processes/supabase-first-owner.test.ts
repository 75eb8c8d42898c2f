import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { type SupabaseAuth, startSupabaseAuth } from '../support/servers/supabase-auth.ts';
import { createSupabaseStorage } from '../support/servers/supabase-storage-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const secretKey = 'sb_secret_only_the_tests_know_of_it';
const memberships = '{ me { memberships { role organization { name } } } }';

describe('the first owner of a Supabase project with published signing keys', {
  timeout: 120_000,
}, () => {
  let auth: SupabaseAuth;
  let database: TestDatabase | null;
  let service: ServiceProcess | undefined;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const storage = createSupabaseStorage({ secretKey });
    auth = await startSupabaseAuth((request, response) => storage.handle(request, response), {
      sendsUsers: true,
    });
    database = serverUrl() === undefined ? null : await createEmptyDatabase();
    settings = {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'grounded-chat-owner-')),
      SUPABASE_URL: auth.url,
      SUPABASE_SECRET_KEY: secretKey,
      PUBLIC_URL: 'https://chat.example.com',
      ...(database && databaseSettings(database)),
    };
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await auth?.close();
    await rm(settings.DATA_DIR ?? '', { recursive: true, force: true });
  });

  const me = async (email: string, sub: string) => {
    const token = await auth.token({ email, sub });
    return (await graphqlClient(service?.url ?? '', token).data<{ me: object }>(memberships)).me;
  };

  test('comes from the command line, before and while the service runs', async () => {
    await expect(runCli(['seed'], settings)).rejects.toThrow('--owner is required');
    await expect(runCli(['seed', '--owner', 'ada'], settings)).rejects.toThrow(
      '--owner must be an e-mail address',
    );
    const demo = await runCli(['seed', '--owner', 'Ada@example.com'], settings);
    service = await startServiceProcess(settings);
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({
      status: 'ok',
      checks: { database: 'ok', storage: 'ok', queue: 'ok' },
    });
    const metadata = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource: 'https://chat.example.com/mcp',
      authorization_servers: [auth.issuer],
    });
    const client = restClient(`${service.url}/api/v1`, demo.secret);
    await waitUntil(
      async () =>
        (await (await client.get('/knowledge/documents?status=READY')).json()).total === 1,
      { timeoutMs: 60_000, intervalMs: 200 },
    );
    const reply = await client.post('/chat', { message: 'Which files may I upload?' });
    expect((await reply.json()).citations).toMatchObject([{ documentName: 'Welcome.md' }]);
    expect(await me('ada@example.com', '01a202f3-1c8a-4713-9ab1-55c07a3ad1f1')).toEqual({
      memberships: [{ role: 'OWNER', organization: { name: 'Demo' } }],
    });

    const ben = 'ben@example.com';
    const made = await runCli(
      ['organizations', 'create', '--name', 'Harbour', '--owner', ben],
      settings,
    );
    expect(made).toMatchObject({ owner: ben });
    const invitation = ['members', 'invite', '--organization', made.id];
    await runCli([...invitation, '--email', 'cleo@example.com', '--role', 'agent'], settings);
    expect(await me(ben, '01a202f3-1c8a-4713-9ab1-55c07a3ad1f2')).toEqual({
      memberships: [{ role: 'OWNER', organization: { name: 'Harbour' } }],
    });
    expect(await runCli(['members', 'list', '--organization', made.id], settings)).toMatchObject([
      { email: ben, role: 'OWNER', hasJoined: true },
      { email: 'cleo@example.com', role: 'AGENT', hasJoined: false },
    ]);
    await expect(
      runCli([...invitation, '--email', 'd@example.com', '--role', 'boss'], settings),
    ).rejects.toThrow('--role must be owner, admin, agent or viewer');
  });

  test('may come from the service role, which the secret key of the project is', async () => {
    const client = graphqlClient(service?.url ?? '', secretKey);
    const { createOrganization } = await client.data<{ createOrganization: { id: string } }>(
      'mutation { createOrganization(input: { name: "Lights" }) { id } }',
    );
    await client.data(
      `mutation ($id: ID!) {
        inviteMember(input: { organizationId: $id, email: "dora@example.com", role: OWNER }) { id }
      }`,
      { id: createOrganization.id },
    );
    expect(await me('dora@example.com', '01a202f3-1c8a-4713-9ab1-55c07a3ad1f4')).toEqual({
      memberships: [{ role: 'OWNER', organization: { name: 'Lights' } }],
    });
    await expect(runCli(['token', '--role', 'service_role'], settings)).rejects.toThrow(
      'send SUPABASE_SECRET_KEY',
    );
  });
});
