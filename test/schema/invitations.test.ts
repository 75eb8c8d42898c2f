import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { findSession } from '../../src/domain/sign-in/operator-sessions.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { hashSecret } from '../../src/platform/hash-secret.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { operatorClaims } from '../../src/server/token.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import type { MailServer } from '../support/servers/mail-server.ts';
import { type MailedService, startMailedService } from '../support/servers/mailed-service.ts';
import type { TestService } from '../support/service.ts';

let mailed: MailedService;
let log: MailedService['log'];
let mailServer: MailServer;
let service: TestService;
let organizationId: string;
let owner: GraphqlClient;

beforeAll(async () => {
  mailed = await startMailedService();
  ({ log, mailServer, service } = mailed);
});

afterAll(() => mailed.stop());

beforeEach(async () => {
  mailServer.mode = 'accept';
  mailServer.received.length = 0;
  ({ organizationId } = await service.createTenant());
  owner = await member('OWNER');
});

const newEmail = () => `${newId()}@example.com`;

const member = (role: Role, email = newEmail()) => mailed.member(organizationId, role, email);

type Created = Record<string, { link: string; mail: string; membership: { email: string } }>;

function send(client: GraphqlClient, name: string, input: object) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const fields = name === 'revokeInvitation' ? 'email' : 'link mail membership { email role }';
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`;
  return client.send(query, { input: { organizationId, ...input } });
}

async function invite(email: string, role: Role = 'AGENT', name = 'createInvitation') {
  const input = name === 'createInvitation' ? { email, role } : { email };
  const { data, errors } = await send(owner, name, input);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  const { link = '', mail = '' } = (data as Created)[name] ?? {};
  return { link, mail, secret: link.split('#invitation=')[1] ?? '' };
}

const codeOf = async (answer: ReturnType<typeof send>) =>
  (await answer).errors?.[0]?.extensions.code;

function post(path: string, secret: string, cookie = ''): Promise<Response> {
  return fetch(`${service.url}/dashboard/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify({ secret }),
  });
}

const preview = (secret: string) => post('invitation', secret);

/** Sends the secret of a link to a route that starts a session. */
async function start(path: string, secret: string, cookie = '') {
  const response = await post(path, secret, cookie);
  const { accessToken } = await response.json();
  return {
    status: response.status,
    cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '',
    client: graphqlClient(service.url, accessToken ?? null),
  };
}

const accept = (secret: string, cookie = '') => start('session/invitation', secret, cookie);

async function organizationsOf(client: GraphqlClient): Promise<string[]> {
  const { me } = await client.data<{
    me: { memberships: { organization: { id: string } }[] };
  }>('{ me { memberships { organization { id } } } }');
  return me.memberships.map(({ organization }) => organization.id);
}

async function listMembers() {
  const { organization } = await owner.data<{
    organization: { members: { edges: { node: Record<string, unknown> }[] } };
  }>(
    `query ($id: ID!) { organization(id: $id) {
      members(first: 100) { edges { node { email role hasJoined invitationExpiresAt } } } } }`,
    { id: organizationId },
  );
  return organization.members.edges.map(({ node }) => node);
}

const expire = (email: string) =>
  service.ownerPool.query(
    `update grounded.members set invitation_expires_at = now() - interval '1 second' where email = $1`,
    [email],
  );

describe('an invitation by a link', () => {
  test('is pending for 7 days, and is stored as a hash only', async () => {
    const email = newEmail();
    const { secret, link } = await invite(email);
    expect(link).toMatch(/^https:\/\/chat\.example\.com\/dashboard\/#invitation=[\w-]{43}$/);
    const pending = (await listMembers()).find((node) => node.email === email);
    expect(pending).toMatchObject({ role: 'AGENT', hasJoined: false });
    const days = (Date.parse(String(pending?.invitationExpiresAt)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    const { rows } = await service.ownerPool.query(
      'select invitation_hash, to_jsonb(members) as row from grounded.members where email = $1',
      [email],
    );
    expect(new Uint8Array(rows[0].invitation_hash)).toEqual(hashSecret(secret));
    expect(JSON.stringify(rows[0].row)).not.toContain(secret);
    expect(log.text()).toContain('invitation created');
    expect(log.text()).not.toContain(secret);
  });

  test('makes its reader a member who is signed in, once', async () => {
    const email = newEmail();
    const { secret } = await invite(email, 'VIEWER');
    const { status, client } = await accept(secret);
    expect(status).toBe(200);
    expect(await organizationsOf(client)).toEqual([organizationId]);
    expect((await listMembers()).find((node) => node.email === email)).toEqual({
      email,
      role: 'VIEWER',
      hasJoined: true,
      invitationExpiresAt: null,
    });
    expect([(await accept(secret)).status, (await preview(secret)).status]).toEqual([404, 404]);
  });

  test('is not accepted by opening or reading the link', async () => {
    const { secret } = await invite(newEmail());
    for (const path of ['', 'session/invitation', 'invitation', `?invitation=${secret}`]) {
      await fetch(`${service.url}/dashboard/${path}`);
    }
    const response = await preview(secret);
    expect(await response.json()).toMatchObject({ organizationName: 'Harbour Lights' });
    expect((await accept(secret)).status).toBe(200);
  });

  test('creates one membership and one session if it is accepted twice at once', async () => {
    const email = newEmail();
    const { secret } = await invite(email);
    const all = await Promise.all([1, 2, 3, 4].map(() => accept(secret)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect((await listMembers()).filter((node) => node.email === email)).toHaveLength(1);
    const { rows } = await service.ownerPool.query(
      'select from grounded.operator_sessions where email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  test('reveals nothing after it was accepted, revoked, renewed or has expired', async () => {
    const [accepted, revoked, renewed, expired] = [newEmail(), newEmail(), newEmail(), newEmail()];
    const secrets: string[] = [];
    for (const email of [accepted, revoked, renewed, expired]) {
      secrets.push((await invite(email)).secret);
    }
    await accept(secrets[0] ?? '');
    await send(owner, 'revokeInvitation', { email: revoked });
    const { secret: current } = await invite(renewed, 'AGENT', 'renewInvitation');
    await expire(expired);
    const answers = new Set<string>();
    for (const secret of [...secrets, 'unknown', 'x'.repeat(300)]) {
      for (const path of ['invitation', 'session/invitation']) {
        const response = await post(path, secret);
        const { code, error, message } = await response.json();
        answers.add(`${response.status} ${code} ${error} ${message}`);
        expect(response.headers.get('Set-Cookie')).toBeNull();
      }
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toMatch(/^404 /);
    expect((await accept(current)).status).toBe(200);
  });

  test('is not accepted by its address either when it has expired, until it is renewed', async () => {
    const email = newEmail();
    await invite(email);
    await expire(email);
    const client = graphqlClient(service.url, await service.token(operatorClaims(email)));
    expect(await organizationsOf(client)).toEqual([]);
    const { secret } = await invite(email, 'AGENT', 'renewInvitation');
    expect(await organizationsOf(client)).toEqual([organizationId]);
    expect((await accept(secret)).status).toBe(404);
  });

  test('is recorded in the audit log: who invited, renewed, revoked, and who joined', async () => {
    const [stays, goes] = [newEmail(), newEmail()];
    await invite(goes);
    await invite(stays);
    const { secret } = await invite(stays, 'AGENT', 'renewInvitation');
    await send(owner, 'revokeInvitation', { email: goes });
    await accept(secret);
    const entries = await service.system.db.auditEntry.findMany({
      where: { organizationId, targetName: { in: [stays, goes] } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    expect(entries.map(({ action, targetName }) => [action, targetName]).sort()).toEqual(
      [
        ['MEMBER_INVITED', goes],
        ['MEMBER_INVITED', stays],
        ['INVITATION_RENEWED', stays],
        ['INVITATION_REVOKED', goes],
        ['MEMBER_JOINED', stays],
        ['SIGNED_IN', stays],
      ].sort(),
    );
    expect(JSON.stringify(entries.map(({ change }) => change))).not.toContain(secret);
  });
});

describe('the session of a link', () => {
  test('reaches the organization of the link only, and not what the address has elsewhere', async () => {
    const email = newEmail();
    const other = await service.createTenant();
    const elsewhere = await service.createTenant();
    await inviteMember(service.system, { ...other, email, role: 'OWNER' });
    const confirmed = graphqlClient(service.url, await service.token(operatorClaims(email)));
    expect(await organizationsOf(confirmed)).toEqual([other.organizationId]);

    const { client } = await accept((await invite(email)).secret);
    await inviteMember(service.system, { ...elsewhere, email, role: 'OWNER' });
    expect(await organizationsOf(client)).toEqual([organizationId]);
    const read = (id: string) =>
      client.send('query ($id: ID!) { organization(id: $id) { name } }', { id });
    for (const { organizationId: id } of [other, elsewhere]) {
      expect((await read(id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    }
    const project = await client.send('query ($id: ID!) { project(id: $id) { name } }', {
      id: other.projectId,
    });
    expect(project.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    const foreign = await service.system.db.auditEntry.findMany({
      where: { organizationId: other.organizationId, action: 'SIGNED_IN' },
    });
    expect(foreign).toEqual([]);
  });

  test('reaches nothing more once the member is removed', async () => {
    const email = newEmail();
    const { client, cookie } = await accept((await invite(email)).secret);
    expect(await organizationsOf(client)).toEqual([organizationId]);
    await service.system.db.member.deleteMany({ where: { email, organizationId } });
    expect(await organizationsOf(client)).toEqual([]);
    const secret = cookie.split('=')[1] ?? '';
    expect(await findSession(service.adapters, secret)).toMatchObject({ organizationIds: [] });
  });

  test('neither lists nor ends other sessions of the address', async () => {
    const email = newEmail();
    const full = await start('session', await createSignInSecret(service.adapters, email));
    const limited = await accept((await invite(email)).secret);
    const call = (path: string, method: string, cookie: string) =>
      fetch(`${service.url}/dashboard/session${path}`, { method, headers: { Cookie: cookie } });
    const list = async (cookie: string) =>
      (await (await call('/all', 'GET', cookie)).json()).sessions as { id: string }[];
    expect(
      [await list(full.cookie), await list(limited.cookie)].map(({ length }) => length),
    ).toEqual([2, 1]);
    for (const { id } of await list(full.cookie)) {
      const isOwn = (await list(limited.cookie)).some((own) => own.id === id);
      if (!isOwn) await call(`/all/${id}`, 'DELETE', limited.cookie);
    }
    await call('/all', 'DELETE', limited.cookie);
    expect(await list(full.cookie)).toHaveLength(1);
  });

  test('reaches a second organization after its link is accepted in the same browser', async () => {
    const email = newEmail();
    const first = await accept((await invite(email)).secret);
    const firstId = organizationId;
    ({ organizationId } = await service.createTenant());
    owner = await member('OWNER');
    const second = await accept((await invite(email)).secret, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    expect(await organizationsOf(second.client)).toEqual([firstId, organizationId]);
  });

  test('is the current session of the same address, and not that of another address', async () => {
    const [email, stranger] = [newEmail(), newEmail()];
    const full = await start('session', await createSignInSecret(service.adapters, email));
    const kept = await accept((await invite(email)).secret, full.cookie);
    expect(kept.cookie).toBe(full.cookie);
    const other = await service.createTenant();
    await inviteMember(service.system, { ...other, email, role: 'VIEWER' });
    expect(await organizationsOf(kept.client)).toEqual([organizationId, other.organizationId]);

    const replaced = await accept((await invite(stranger)).secret, full.cookie);
    expect(replaced.cookie).not.toBe(full.cookie);
    expect(await organizationsOf(replaced.client)).toEqual([organizationId]);
  });
});

describe('invitations are managed', () => {
  const names = ['createInvitation', 'renewInvitation', 'revokeInvitation'] as const;
  const inputOf = (name: string, email: string, role: Role = 'AGENT') =>
    name === 'createInvitation' ? { email: newEmail(), role } : { email };

  test('of owners by owners only, so that an admin gets no link of an owner', async () => {
    const admin = await member('ADMIN');
    const [ownersEmail, agentsEmail] = [newEmail(), newEmail()];
    await invite(ownersEmail, 'OWNER');
    for (const name of names) {
      const answer = send(admin, name, inputOf(name, ownersEmail, 'OWNER'));
      expect(await codeOf(answer), name).toBe('FORBIDDEN');
    }
    expect(
      await codeOf(send(admin, 'createInvitation', { email: agentsEmail, role: 'AGENT' })),
    ).toBe(undefined);
    const promotion = owner.send(
      'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { role } }',
      { input: { organizationId, email: agentsEmail, role: 'OWNER' } },
    );
    expect(await codeOf(promotion)).toBe('CONFLICT');
  });

  test('one for each address, and none of a member', async () => {
    const email = newEmail();
    const { secret } = await invite(email);
    const again = () =>
      codeOf(send(owner, 'createInvitation', { email: email.toUpperCase(), role: 'AGENT' }));
    expect(await again()).toBe('CONFLICT');
    await accept(secret);
    expect(await again()).toBe('CONFLICT');
    for (const name of ['renewInvitation', 'revokeInvitation']) {
      expect(await codeOf(send(owner, name, { email }))).toBe('NOT_FOUND');
    }
    const invalid = { email: 'a@example.com,b@example.com', role: 'AGENT' };
    expect(await codeOf(send(owner, 'createInvitation', invalid))).toBe('VALIDATION_FAILED');
  });

  test('at most 50 at a time', async () => {
    await service.ownerPool.query(
      `insert into grounded.members (id, organization_id, email, role)
       select gen_random_uuid(), $1, n || '@pending.example', 'VIEWER' from generate_series(1, 49) n`,
      [organizationId],
    );
    const attempts = [newEmail(), newEmail()].map((email) =>
      codeOf(send(owner, 'createInvitation', { email, role: 'AGENT' })),
    );
    expect((await Promise.all(attempts)).sort()).toEqual(['CONFLICT', undefined]);
    const withoutLink = await owner.send(
      'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { email } }',
      { input: { organizationId, email: newEmail(), role: 'AGENT' } },
    );
    expect(withoutLink.errors?.[0]?.extensions.code).toBe('CONFLICT');
  });

  test('with at most 100 links an hour', async () => {
    const email = newEmail();
    await invite(email);
    await service.ownerPool.query(
      `insert into grounded.audit_entries (organization_id, action, actor_type, target_type, target_id)
       select $1, 'INVITATION_RENEWED', 'OPERATOR', 'MEMBER', n::text from generate_series(1, 97) n`,
      [organizationId],
    );
    const renew = () => codeOf(send(owner, 'renewInvitation', { email }));
    expect([await renew(), await renew()]).toEqual([undefined, 'RATE_LIMITED']);
  });
});

describe('the e-mail of an invitation', () => {
  test('contains the link as text and as HTML, and the name of the organization without markup and addresses', async () => {
    const name = `<img src=x onerror="alert(1)"> & "Sons" at https://evil.example/x\r\nBcc: mallory@example.com`;
    await service.ownerPool.query('update grounded.organizations set name = $2 where id = $1', [
      organizationId,
      name,
    ]);
    const email = newEmail();
    const { link, mail } = await invite(email);
    expect(mail).toBe('SENT');
    const [received] = mailServer.received;
    expect(received?.recipients).toEqual([email]);
    const parsed = await PostalMime.parse(received?.raw ?? '');
    expect(parsed.from).toMatchObject({ name: 'Help desk', address: 'chat@example.com' });
    expect(parsed.bcc ?? []).toEqual([]);
    expect(parsed.subject).toBe(
      'Invitation to < img src=x onerror="alert(1)"> & "Sons" at Bcc: mallory@example.com',
    );
    expect(`${parsed.text}${parsed.html}`).not.toContain('evil.example');
    expect(parsed.text).toContain(link);
    expect(parsed.html).toContain(`href="${link}"`);
    expect(parsed.html).not.toContain('<img');
    expect(parsed.html).toContain(
      '&lt; img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &quot;Sons&quot;',
    );
  });

  test('is reported as failed if the server refuses it, and the link works', async () => {
    mailServer.mode = 'refuse';
    const { mail, secret } = await invite(newEmail());
    expect(mail).toBe('FAILED');
    expect(log.text()).toContain('the link was not sent by e-mail');
    expect(log.text()).not.toContain(secret);
    expect((await accept(secret)).status).toBe(200);
  });
});
