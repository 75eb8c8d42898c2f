import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { chromiumPath, openWindow, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts';

describe.skipIf(chromiumPath === undefined)('signing in by e-mail', () => {
  let test: DashboardTest;
  let mailServer: MailServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
    test = await startDashboardTest({
      isWorker: false,
      publicUrl: 'https://chat.example.com',
      mail: { smtpUrl: mailServer.url, from: 'Help desk <chat@example.com>' },
    });
  });
  afterAll(async () => {
    await test?.stop();
    await mailServer?.stop();
  });

  it('sends a member the link, which opens the dashboard', async () => {
    const { organizationId, projectId } = test.tenant;
    const email = 'ada@harbour.example';
    await inviteMember(test.service.system, { organizationId, email, role: 'AGENT' });
    const { page } = await openWindow(test.browser);
    await page.goto(`${test.service.url}/dashboard/${projectId}/usage`);
    await page.getByLabel('E-mail').fill(email);
    expect(await page.getByText('npm run cli').isVisible()).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
    await page.getByText(`If ${email} belongs to a member, a link is on its way.`).waitFor();
    await expect.poll(() => mailServer.received).toHaveLength(1);
    const raw = mailServer.received[0]?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
    const fragment = /#sign-in=[\w-]+/.exec(raw)?.[0];
    await page.goto(`${test.service.url}/dashboard/${projectId}/usage${fragment}`);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });
});
