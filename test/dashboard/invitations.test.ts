import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createInvitation, revokeInvitation } from '../../src/domain/organizations/invitations.ts';
import {
  chromiumPath,
  eventually,
  openWindow,
  seriousViolations,
} from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

const phone: BrowserContextOptions = { viewport: { width: 360, height: 780 } };

describe.skipIf(chromiumPath === undefined)('inviting a member', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  const membersUrl = () =>
    `${test.service.url}/dashboard/${test.tenant.projectId}/settings/members`;

  const row = (page: Page, email: string) =>
    page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: email });

  async function readLink(page: Page): Promise<string> {
    const link = page.getByRole('group', { name: 'Link' }).locator('.copy-text');
    const text = (await link.textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return text;
  }

  async function createLink(email: string): Promise<string> {
    const { organizationId } = test.tenant;
    const input = { organizationId, email, role: 'VIEWER' } as const;
    return test.service.url + (await createInvitation(test.service.system, input)).link;
  }

  async function flawsOf(page: Page): Promise<string[]> {
    const flaws: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      flaws.push(...(await seriousViolations(page)).map((flaw) => `${colorScheme} ${flaw}`));
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    return overflow > 0 ? [...flaws, `overflows by ${overflow} px`] : flaws;
  }

  it('signs in a member who lost the session with a new link', async () => {
    const email = 'lost@harbour.example';
    await test.member(email, 'AGENT');
    const { page, errors } = await test.member('admin@harbour.example', 'ADMIN', phone);
    await page.goto(membersUrl());
    await page.getByRole('button', { name: `Sign-in link for ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const link = await readLink(page);
    expect(link).toMatch(new RegExp(`^${test.service.url}/dashboard/#sign-in=[\\w-]{43}$`));
    expect(await flawsOf(page)).toEqual([]);
    const lost = await openWindow(test.browser);
    await lost.page.goto(link);
    await lost.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await lost.page.getByRole('button', { name: 'Your account' }).click();
    await lost.page.getByText(email).waitFor();
    const late = await openWindow(test.browser);
    await late.page.goto(link);
    await late.page.getByText('This sign-in link is not valid').waitFor();
    expect(errors).toEqual([]);
  });

  it('lets the person with the link see the project, and nobody else', async () => {
    const email = 'ravi@harbour.example';
    const { page, errors } = await test.member('owner@harbour.example', 'OWNER');
    await page.goto(membersUrl());
    await page.getByRole('textbox', { name: 'Invite by e-mail' }).fill(email);
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = await readLink(page);
    expect(link).toMatch(new RegExp(`^${test.service.url}/dashboard/#invitation=[\\w-]{43}$`));
    await row(page, email).getByText('Pending, expires in 7 days').waitFor();

    const invited = await openWindow(test.browser);
    const other = await openWindow(test.browser);
    await invited.page.goto(link);
    await other.page.goto(link);
    await invited.page.getByRole('heading', { name: 'Join Harbour Lights' }).waitFor();
    await invited.page.getByText(`${email} is invited as Agent`).waitFor();
    expect(invited.page.url()).not.toContain('invitation=');
    await page.reload();
    await row(page, email).getByText('Pending').waitFor();

    await invited.page.getByRole('button', { name: 'Accept the invitation' }).dblclick();
    await invited.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await eventually(() => invited.page.url()).toContain(test.tenant.projectId);
    await invited.page.reload();
    await invited.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: `Remove ${email}` }).waitFor();
    expect(await page.getByText('Pending').count()).toBe(0);
    // The browser has no cookie. So its request for a token is refused, and then the page shows the invitation.
    expect(invited.errors.filter((error) => !error.includes('401'))).toEqual([]);
    expect(errors).toEqual([]);

    await other.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await other.page.getByText('This invitation is not valid').waitFor();
    await other.page.getByRole('button', { name: 'Go to the sign-in page' }).click();
    await other.page.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();
  });

  it('replaces a link by a new one, and revokes it', async () => {
    const email = 'lena@harbour.example';
    const first = await createLink(email);
    const { page, errors } = await test.member('second-owner@harbour.example', 'OWNER');
    await page.goto(membersUrl());
    await page.getByRole('button', { name: `New link for ${email}` }).click();
    const second = await readLink(page);
    expect(second).not.toBe(first);
    const { page: invited } = await openWindow(test.browser);
    await invited.goto(first);
    await invited.getByText('This invitation is not valid').waitFor();
    // Only the fragment of the URL changes, so the tab does not reload the page.
    await invited.goto(second);
    await invited.getByRole('button', { name: 'Accept the invitation' }).waitFor();

    await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(`The invitation of ${email} was revoked`).waitFor();
    await row(page, email).waitFor({ state: 'detached' });
    await invited.getByRole('button', { name: 'Accept the invitation' }).click();
    await invited.getByText('This invitation is not valid').waitFor();
    expect(errors).toEqual([]);
  });

  it('reveals nothing with a revoked or an expired link', async () => {
    const { organizationId } = test.tenant;
    const [revoked, expired] = ['revoked@harbour.example', 'expired@harbour.example'];
    const links = [await createLink(revoked), await createLink(expired)];
    await revokeInvitation(test.service.system, { organizationId, email: revoked });
    await test.service.ownerPool.query(
      `update grounded.members set invitation_expires_at = now() - interval '1 hour' where email = $1`,
      [expired],
    );
    for (const link of links) {
      const { page } = await openWindow(test.browser, phone);
      await page.goto(link);
      await page.getByText('This invitation is not valid').waitFor();
      const text = (await page.textContent('body')) ?? '';
      expect(text).not.toMatch(/harbour|Viewer/i);
      expect(await flawsOf(page)).toEqual([]);
    }
    const { page } = await test.member('third-owner@harbour.example', 'OWNER');
    await page.goto(membersUrl());
    await row(page, expired).getByText('Expired 1 hour ago').waitFor();
  });

  it.each([
    ['a desktop', {}],
    ['a phone', phone],
  ])('is accessible on %s, in both themes', async (name, options) => {
    const suffix = name.replace('a ', '');
    const email = `a.rather.long.address.of.somebody@${suffix}.harbour-lights.example`;
    const link = await createLink(email);
    const { page: invited } = await openWindow(test.browser, options);
    await invited.goto(link);
    await invited.getByRole('button', { name: 'Accept the invitation' }).waitFor();
    expect(await flawsOf(invited)).toEqual([]);

    const { page } = await test.member(`${suffix}@harbour.example`, 'OWNER', options);
    await page.goto(membersUrl());
    await row(page, email).getByText('Pending').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: `New link for ${email}` }).click();
    await page.getByRole('group', { name: 'Link' }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });
});
