import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { chromiumPath, openWindow, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OidcServer, startOidcServer } from '../support/servers/oidc-server.ts';

describe.skipIf(chromiumPath === undefined)('signing in with a provider', () => {
  let test: DashboardTest;
  let provider: OidcServer;
  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await startOidcServer(`${publicUrl}/dashboard/session/oidc/callback`);
    const { issuer, clientId, clientSecret } = provider;
    const policy = { allowedDomains: [], trustsEmail: false, mapping: null };
    const scopes = 'openid email';
    test = await startDashboardTest({
      isWorker: false,
      port,
      publicUrl,
      oidc: { issuer, clientId, clientSecret, scopes, name: 'Harbour ID', policy },
    });
  });
  afterAll(async () => {
    await test?.stop();
    await provider?.stop();
  });

  it('explains a refusal, and then opens the page that was asked for', async () => {
    provider.accounts.set('ada', { email: 'ada@harbour.example', email_verified: true });
    const { page, errors } = await openWindow(test.browser);
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    const button = page.getByRole('link', { name: 'Sign in with Harbour ID' });
    await button.click();
    await page.getByText('You were not signed in').waitFor();
    expect(page.url()).not.toContain('sign-in-failed');
    expect(await page.getByText('npm run cli').count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);

    provider.next = 'ada';
    await button.click();
    await page.getByText('You have no access yet').waitFor();
    const { organizationId } = test.tenant;
    const email = 'ada@harbour.example';
    await inviteMember(test.service.system, { organizationId, email, role: 'AGENT' });
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    await button.click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText(email).waitFor();
    // The page first asks for the session of the browser, and the service answers 401.
    expect(errors.filter((message) => !message.includes('401'))).toEqual([]);
  });
});
