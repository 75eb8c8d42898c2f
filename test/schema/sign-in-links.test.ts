import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../src/domain/organizations/manage-members.ts';
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
let email: string;

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
  email = newEmail();
  await member('AGENT', email);
});

const newEmail = () => `${newId()}@example.com`;

const member = (role: Role, address = newEmail()) => mailed.member(organizationId, role, address);

interface Created {
  readonly link: string;
  readonly mail: string;
  readonly expiresAt: string;
}

const sendCreate = (client: GraphqlClient, address = email) =>
  client.send(
    `mutation ($input: CreateSignInLinkInput!) {
      createSignInLink(input: $input) { link mail expiresAt membership { email } } }`,
    { input: { organizationId, email: address } },
  );

async function createLink(): Promise<Created & { readonly secret: string }> {
  const { data, errors } = await sendCreate(owner);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  const created = (data as { createSignInLink: Created }).createSignInLink;
  return { ...created, secret: created.link.split('#sign-in=')[1] ?? '' };
}

const codeOf = async (answer: ReturnType<typeof sendCreate>) =>
  (await answer).errors?.[0]?.extensions.code;

const newSecret = async () => (await createLink()).secret;

/** Opens the link as a browser does. */
async function open(secret: string, cookie = '') {
  const response = await fetch(`${service.url}/dashboard/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify({ secret }),
  });
  const { accessToken } = await response.json();
  return {
    status: response.status,
    cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '',
    client: graphqlClient(service.url, accessToken ?? null),
  };
}

async function organizationsOf(client: GraphqlClient): Promise<string[]> {
  const { me } = await client.data<{
    me: { memberships: { organization: { id: string } }[] };
  }>('{ me { memberships { organization { id } } } }');
  return me.memberships.map(({ organization }) => organization.id);
}

describe('a sign-in link of a member', () => {
  test('signs the member in, once, and is stored as a hash only', async () => {
    const { link, expiresAt, secret } = await createLink();
    expect(link).toMatch(/^https:\/\/chat\.example\.com\/dashboard\/#sign-in=[\w-]{43}$/);
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const { rows } = await service.ownerPool.query(
      'select sign_in_hash, to_jsonb(members) as row from grounded.members where email = $1',
      [email],
    );
    expect(new Uint8Array(rows[0].sign_in_hash)).toEqual(hashSecret(secret));
    expect(JSON.stringify(rows[0].row)).not.toContain(secret);
    expect(log.text()).not.toContain(secret);
    const attempts = await Promise.all([open(secret), open(secret)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 401]);
    const signedIn = attempts.find(({ status }) => status === 200);
    expect(signedIn && (await organizationsOf(signedIn.client))).toEqual([organizationId]);
  });

  test('reaches only the organization of the owner who has created it', async () => {
    const other = await service.createTenant();
    await inviteMember(service.system, { ...other, email, role: 'OWNER' });
    await graphqlClient(service.url, await service.token(operatorClaims(email))).data(
      '{ me { memberships { id } } }',
    );
    const { client } = await open(await newSecret());
    expect(await organizationsOf(client)).toEqual([organizationId]);
    const project = await client.send('query ($id: ID!) { project(id: $id) { id } }', {
      id: other.projectId,
    });
    expect(project.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  test('continues the current session of the same address', async () => {
    const first = await open(await newSecret());
    const second = await open(await newSecret(), first.cookie);
    expect(second.cookie).toBe(first.cookie);
    expect(await organizationsOf(second.client)).toEqual([organizationId]);
  });

  test('is replaced by a newer one, and expires', async () => {
    const [first, second] = [await newSecret(), await newSecret()];
    expect((await open(first)).status).toBe(401);
    await service.ownerPool.query(
      `update grounded.members set sign_in_expires_at = now() - interval '1 second' where email = $1`,
      [email],
    );
    expect((await open(second)).status).toBe(401);
  });

  test('stops working when the member gets another role or is removed', async () => {
    const promoted = await newSecret();
    await updateMember(service.system, { organizationId, email, role: 'OWNER' });
    expect((await open(promoted)).status).toBe(401);
    const removed = await newSecret();
    await removeMember(service.system, { organizationId, email });
    expect((await open(removed)).status).toBe(401);
  });

  test('started a session that ends when the member becomes an owner, since an admin may have opened it', async () => {
    const admin = await member('ADMIN');
    const { data } = await sendCreate(admin);
    const { link } = (data as { createSignInLink: Created }).createSignInLink;
    const { client } = await open(link.split('#sign-in=')[1] ?? '');
    await updateMember(service.system, { organizationId, email, role: 'ADMIN' });
    expect(await organizationsOf(client)).toEqual([organizationId]);
    await updateMember(service.system, { organizationId, email, role: 'OWNER' });
    await expect(organizationsOf(client)).rejects.toThrow('UNAUTHENTICATED');
    const own = await open(await newSecret());
    expect(await organizationsOf(own.client)).toEqual([organizationId]);
  });

  test('is sent by e-mail, and works if the mail server refuses it', async () => {
    const sent = await createLink();
    expect(sent.mail).toBe('SENT');
    const [message] = mailServer.received;
    expect(message?.recipients).toEqual([email]);
    const mail = await PostalMime.parse(message?.raw ?? '');
    expect(mail.subject).toMatch(/^Sign-in link for /);
    expect(mail.text).toContain(sent.link);
    expect(mail.html).toContain(`href="${sent.link}"`);
    mailServer.mode = 'refuse';
    const refused = await createLink();
    expect(refused.mail).toBe('FAILED');
    expect((await open(refused.secret)).status).toBe(200);
  });
});

describe('sign-in links are created', () => {
  test('for owners by owners only, and by admins for all others', async () => {
    const admin = await member('ADMIN');
    const ownersEmail = newEmail();
    await member('OWNER', ownersEmail);
    expect(await codeOf(sendCreate(admin, ownersEmail))).toBe('FORBIDDEN');
    expect(await codeOf(sendCreate(admin))).toBeUndefined();
    expect(await codeOf(sendCreate(owner, ownersEmail))).toBeUndefined();
  });

  test('for members who have joined and can sign in with a link', async () => {
    expect(await codeOf(sendCreate(owner, newEmail()))).toBe('NOT_FOUND');
    const invited = newEmail();
    await inviteMember(service.system, { organizationId, email: invited, role: 'AGENT' });
    expect(await codeOf(sendCreate(owner, invited))).toBe('CONFLICT');
    await service.ownerPool.query('update grounded.members set user_id = $2 where email = $1', [
      email,
      newId(),
    ]);
    expect(await codeOf(sendCreate(owner))).toBe('CONFLICT');
  });

  test('at most 100 an hour, with invitations', async () => {
    await service.ownerPool.query(
      `insert into grounded.audit_entries (organization_id, action, actor_type, target_type, target_id)
       select $1, 'MEMBER_INVITED', 'OPERATOR', 'MEMBER', n::text from generate_series(1, 100) n`,
      [organizationId],
    );
    expect(await codeOf(sendCreate(owner))).toBe('RATE_LIMITED');
  });
});
