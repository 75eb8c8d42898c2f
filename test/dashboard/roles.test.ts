import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

/** Actions on each page, with the roles that can see them. All other roles must not see them. */
const roleActions: readonly {
  readonly page: string;
  /** Content that every role sees when the page has loaded. */
  readonly shown: (page: Page) => ReturnType<Page['locator']>;
  readonly offered: (page: Page) => ReturnType<Page['locator']>;
  readonly to: readonly Role[];
}[] = [
  {
    page: 'inbox',
    shown: (page) => page.getByRole('heading', { name: 'Mira' }),
    offered: (page) => page.getByRole('button', { name: 'Claim' }),
    to: ['OWNER', 'ADMIN', 'AGENT'],
  },
  {
    page: 'inbox',
    shown: (page) => page.getByRole('heading', { name: 'Mira' }),
    offered: (page) => page.getByText('Mine', { exact: true }),
    to: ['OWNER', 'ADMIN', 'AGENT'],
  },
  {
    page: 'conversations',
    shown: (page) => page.getByText('A question of Mira').first(),
    offered: (page) => page.getByRole('log', { name: 'Transcript' }),
    to: ['OWNER', 'ADMIN', 'AGENT', 'VIEWER'],
  },
  {
    page: 'knowledge',
    shown: (page) => page.getByRole('heading', { name: 'Knowledge', level: 1 }),
    offered: (page) => page.getByRole('button', { name: 'Write a document' }),
    to: ['OWNER', 'ADMIN'],
  },
  {
    page: 'evaluation',
    shown: (page) => page.getByText('No question sets yet'),
    offered: (page) => page.getByRole('button', { name: 'Create a set' }),
    to: ['OWNER', 'ADMIN'],
  },
  {
    page: 'developer',
    shown: (page) => page.getByRole('heading', { name: 'Developer', level: 1 }),
    offered: (page) => page.getByRole('button', { name: 'Create a key' }),
    to: ['OWNER', 'ADMIN'],
  },
  {
    page: 'settings',
    shown: (page) => page.getByLabel('Instructions'),
    offered: (page) => page.getByRole('button', { name: 'Save' }).first(),
    to: ['OWNER', 'ADMIN'],
  },
];

describe.skipIf(chromiumPath === undefined)('a member', () => {
  let test: DashboardTest;
  let conversationId: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const chat = await rest.post('/chat', { message: 'A question of Mira' });
    ({ conversationId } = await chat.json());
    await rest.post('/handoff', { conversationId, name: 'Mira', reason: 'Wants a person' });
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  it.each<Role>(['OWNER', 'ADMIN', 'AGENT', 'VIEWER'])(
    'with the role %s sees the actions of this role, and no others',
    async (role) => {
      const { page, errors: complaints } = await test.member(`${role}@harbour.example`, role);
      const base = `${test.service.url}/dashboard/${test.tenant.projectId}`;
      for (const offer of roleActions) {
        const isWithin = offer.page === 'inbox' || offer.page === 'conversations';
        await page.goto(`${base}/${offer.page}${isWithin ? `/${conversationId}` : ''}`);
        await offer.shown(page).waitFor();
        if (offer.to.includes(role)) await offer.offered(page).waitFor();
        else expect(await offer.offered(page).count()).toBe(0);
      }
      await page.goto(`${base}/playground`);
      const isForbidden = page.getByText('Not available for your role');
      if (role === 'VIEWER') await isForbidden.waitFor();
      else await page.getByRole('textbox').first().waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('who loses a role while a page is open is notified, and no longer sees its actions', async () => {
    const { page } = await test.member('demoted@harbour.example', 'AGENT');
    await page.goto(
      `${test.service.url}/dashboard/${test.tenant.projectId}/inbox/${conversationId}`,
    );
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    await test.service.system.db.member.updateMany({
      where: { organizationId: test.tenant.organizationId, email: 'demoted@harbour.example' },
      data: { role: 'VIEWER' },
    });
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('The role VIEWER may not do this').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Claim' }).count()).toBe(0);
  });
});
