import { describe, expect, test } from 'vitest';
import { removeMember, updateMember } from '../../src/domain/organizations/manage-members.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { newId } from '../../src/platform/ids.ts';
import { signIdToken } from '../support/servers/oidc-server.ts';
import { failed, prepareOidcService, publicUrl } from '../support/servers/oidc-service.ts';

const oidc = prepareOidcService();
const { account, actions, browserOf, clientOf, invite, mapGroups, policy, roleOf, signIn } = oidc;

describe('an account', () => {
  test('belongs to the subject, whatever its address becomes', async () => {
    const { subject, email } = account();
    await invite(email);
    expect(await signIn(subject)).toBe('/dashboard/');
    oidc.provider.accounts.set(subject, { email: `${newId()}@example.com`, email_verified: true });
    const browser = browserOf(subject);
    expect(await signIn(subject, browser)).toBe('/dashboard/');
    const { me } = await (await clientOf(browser)).data<{ me: object }>('{ me { email } }');
    expect(me).toEqual({ email });
  });

  test('is not taken over by another subject with its address', async () => {
    const { subject, email } = account();
    await invite(email);
    expect(await signIn(subject)).toBe('/dashboard/');
    const successor = account({ email });
    expect(await signIn(successor.subject)).toBe(failed('account'));
    expect(await signIn(subject)).toBe('/dashboard/');
  });

  test('is free for another subject after its last membership was removed, and loses its old sessions', async () => {
    const { subject, email } = account();
    await invite(email);
    const former = browserOf(subject);
    expect(await signIn(subject, former)).toBe('/dashboard/');
    await removeMember(oidc.service.system, { organizationId: oidc.organizationId, email });
    await invite(email, 'ADMIN');
    const successor = account({ email });
    expect(await signIn(successor.subject)).toBe('/dashboard/');
    const token = await former.fetch(`${publicUrl}/dashboard/session/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(token.status).toBe(401);
    expect(await signIn(subject)).toBe(failed('account'));
  });

  test('of a member who used sign-in links is linked by its verified address', async () => {
    const { subject, email } = account();
    await invite(email, 'OWNER');
    const secret = await createSignInSecret(oidc.service.adapters, email);
    const browser = browserOf(subject);
    await browser.fetch(`${publicUrl}/dashboard/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
    await (await clientOf(browser)).data('{ me { memberships { id } } }');
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('OWNER');
  });
});

describe('a role mapping', () => {
  const setGroups = (subject: string, groups: unknown) =>
    oidc.provider.accounts.set(subject, { ...oidc.provider.accounts.get(subject), groups });

  test('creates the membership with the highest role, changes it, and removes it with the last group', async () => {
    mapGroups();
    const { subject, email } = account({ groups: ['support', 'admins', 'other'] });
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('ADMIN');
    setGroups(subject, ['support']);
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('AGENT');
    for (const groups of [['other'], undefined]) {
      setGroups(subject, groups);
      expect(await signIn(subject)).toBe(failed('access'));
      expect(await roleOf(email)).toBeNull();
    }
    expect(await actions()).toEqual([
      'MEMBER_JOINED SERVICE',
      'MEMBER_REMOVED SERVICE',
      'MEMBER_UPDATED SERVICE',
      'SIGNED_IN OPERATOR',
      'SIGNED_IN OPERATOR',
    ]);
  });

  test('never removes a membership by hand, and gives back its role', async () => {
    mapGroups();
    const { subject, email } = account({ groups: ['admins'] });
    await invite(email, 'VIEWER');
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('ADMIN');
    setGroups(subject, []);
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('VIEWER');
    setGroups(subject, ['admins']);
    await signIn(subject);
    await updateMember(oidc.service.system, {
      organizationId: oidc.organizationId,
      email,
      role: 'AGENT',
    });
    setGroups(subject, []);
    await signIn(subject);
    expect(await roleOf(email)).toBe('AGENT');
  });

  test('never removes or demotes the last owner', async () => {
    mapGroups();
    const { subject, email } = account({ groups: ['chiefs'] });
    expect(await signIn(subject)).toBe('/dashboard/');
    await invite(`${newId()}@example.com`, 'OWNER');
    for (const groups of [['support'], []]) {
      setGroups(subject, groups);
      expect(await signIn(subject)).toBe('/dashboard/');
      expect(await roleOf(email)).toBe('OWNER');
    }
    const second = account({ groups: ['chiefs'] });
    expect(await signIn(second.subject)).toBe('/dashboard/');
    expect(await signIn(subject)).toBe(failed('access'));
  });

  test('replaces an invitation that has expired', async () => {
    mapGroups();
    const { subject, email } = account({ groups: ['support'] });
    await oidc.service.ownerPool.query(
      `insert into grounded.members (id, organization_id, email, role, invitation_hash, invitation_expires_at)
       values ($1, $2, $3::text, 'OWNER', sha256(convert_to($3::text, 'UTF8')), now() - interval '1 second')`,
      [newId(), oidc.organizationId, email],
    );
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('AGENT');
  });

  test('reaches its organization only, and refuses sign-ins without the list of groups', async () => {
    mapGroups();
    const other = await oidc.service.createTenant();
    const { subject, email } = account({ groups: ['support'] });
    await signIn(subject);
    const { rows } = await oidc.service.ownerPool.query(
      'select organization_id from grounded.members where email = $1',
      [email],
    );
    expect(rows).toEqual([{ organization_id: oidc.organizationId }]);
    expect(other.organizationId).not.toBe(oidc.organizationId);
    oidc.provider.forge = (claims, key) =>
      signIdToken({ ...claims, _claim_names: { groups: 'src1' } }, key);
    setGroups(subject, undefined);
    expect(await signIn(subject)).toBe(failed('groups'));
    expect(await roleOf(email)).toBe('AGENT');
  });

  test.each([
    ['a path', 'realm.roles', { realm: { roles: ['support'] } }],
    ['one text', 'groups', { groups: 'support' }],
    ['an object', 'groups', { groups: { support: { id: 'x' } } }],
  ])('reads groups from %s', async (_, claim, claims) => {
    mapGroups();
    Object.assign(policy.mapping ?? {}, { claim });
    const { subject, email } = account(claims);
    expect(await signIn(subject)).toBe('/dashboard/');
    expect(await roleOf(email)).toBe('AGENT');
  });
});
