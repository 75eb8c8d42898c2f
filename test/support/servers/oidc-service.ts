import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OidcSettings } from '../../../src/config/oidc-settings.ts';
import { inviteMember } from '../../../src/domain/organizations/manage-members.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Role } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { graphqlClient } from '../api/graphql-client.ts';
import { captureLog } from '../captured-log.ts';
import { createRedirectBrowser, type RedirectBrowser } from '../pages/redirect-browser.ts';
import { startTestService, type TestService } from '../service.ts';
import { type OidcServer, startOidcServer } from './oidc-server.ts';

export const publicUrl = 'https://chat.example.com';
export const start = `${publicUrl}/dashboard/session/oidc`;
/** Matches an address of the dashboard at which a successful sign-in ends. */
export const dashboard = /^https:\/\/chat\.example\.com\/dashboard\/(?!session)/;
/** Returns the address at which a refused sign-in ends. */
export const failed = (reason: string) => `/dashboard/#sign-in-failed=${reason}`;

/**
 * For the tests of a file: starts a provider, and a service that signs in users with this provider. Each test has its
 * own organization.
 */
export function prepareOidcService() {
  const log = captureLog();
  let provider: OidcServer;
  let service: TestService;
  let organizationId: string;
  /** The service reads these settings at every sign-in, so tests can change them. */
  const policy = {
    allowedDomains: [] as string[],
    trustsEmail: false,
    mapping: null as null | object,
  };

  beforeAll(async () => {
    provider = await startOidcServer(`${start}/callback`);
    service = await startTestService({
      isWorker: false,
      log: log.log,
      publicUrl,
      oidc: settingsOf(provider),
    });
  });

  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  beforeEach(async () => {
    ({ organizationId } = await service.createTenant());
    Object.assign(policy, { allowedDomains: [], trustsEmail: false, mapping: null });
    Object.assign(provider, { forge: null, isDown: false, next: null });
    await service.ownerPool.query('delete from grounded.request_windows');
  });

  function settingsOf({ issuer, clientId, clientSecret }: OidcServer): OidcSettings {
    const scopes = 'openid email groups';
    const oidcPolicy = policy as OidcSettings['policy'];
    return { issuer, clientId, clientSecret, scopes, name: 'Example ID', policy: oidcPolicy };
  }

  function mapGroups() {
    const roles = [
      { group: 'chiefs', role: 'OWNER' },
      { group: 'admins', role: 'ADMIN' },
      { group: 'support', role: 'AGENT' },
    ];
    policy.mapping = { organizationId, claim: 'groups', roles };
  }

  /** Creates an account at the provider. Returns its subject and e-mail address. */
  function account(claims: JWTPayload = {}): { subject: string; email: string } {
    const subject = newId();
    const email = `${subject}@example.com`;
    provider.accounts.set(subject, { email, email_verified: true, ...claims });
    return { subject, email };
  }

  const browserOf = (subject: string | null = null): RedirectBrowser =>
    createRedirectBrowser(
      { [publicUrl]: service.url },
      subject === null ? {} : { 'X-Account': subject },
    );

  /** Signs in. Returns the dashboard path, including its fragment, at which the browser arrives. */
  async function signIn(subject: string | null, browser = browserOf(subject), returnTo = '') {
    const { url } = await browser.open(`${start}${returnTo}`, dashboard);
    return url.replace(publicUrl, '');
  }

  async function clientOf(browser: RedirectBrowser) {
    const response = await browser.fetch(`${publicUrl}/dashboard/session/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    const { accessToken = null } = await response.json();
    return graphqlClient(service.url, accessToken);
  }

  async function roleOf(email: string): Promise<string | null> {
    const { rows } = await service.ownerPool.query(
      'select role from grounded.members where organization_id = $1 and email = $2 and user_id is not null',
      [organizationId, email],
    );
    return rows[0]?.role ?? null;
  }

  const invite = (email: string, role: Role = 'AGENT') =>
    inviteMember(service.system, { organizationId, email, role });

  /**
   * Returns the actions and actors of the audit log. Sorts them alphabetically, because entries of one transaction have
   * no order.
   */
  async function actions(): Promise<string[]> {
    const { rows } = await service.ownerPool.query(
      `select action, actor_type from grounded.audit_entries where organization_id = $1
       and action like any ('{MEMBER_%,SIGNED_%}')`,
      [organizationId],
    );
    return rows.map(({ action, actor_type: actor }) => `${action} ${actor}`).sort();
  }

  return {
    account,
    actions,
    browserOf,
    clientOf,
    invite,
    log,
    mapGroups,
    policy,
    roleOf,
    settingsOf,
    signIn,
    get organizationId() {
      return organizationId;
    },
    get provider() {
      return provider;
    },
    get service() {
      return service;
    },
  };
}
