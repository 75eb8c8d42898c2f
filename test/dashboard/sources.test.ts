import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { pageOf, startWebsite, type Website } from '../support/servers/website.ts';

describe.skipIf(chromiumPath === undefined)(
  'the sources of a project',
  { timeout: 240_000 },
  () => {
    let test: DashboardTest;
    let owner: OpenPage;
    let page: Page;
    let site: Website;
    beforeAll(async () => {
      test = await startDashboardTest({ allowPrivateSources: true });
      owner = await test.member('owner@harbour.example', 'OWNER');
      page = owner.page;
    }, 180_000);
    afterAll(() => test?.stop());
    beforeEach(async () => {
      site = await startWebsite();
    });
    afterEach(() => site.close());

    const open = (opened = page) =>
      opened.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/knowledge?view=sources`);
    const row = (name: string, opened = page) =>
      opened.getByRole('list', { name: 'Sources' }).getByRole('listitem').filter({ hasText: name });
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    it('are websites that are read at once, shown with their progress, changed, paused and deleted', async () => {
      const names = Array.from({ length: 6 }, (_, n) => `/page-${n}`);
      site.pages.set('/', pageOf('Help', 'Welcome aboard.', [...names, '/empty']));
      for (const name of names) site.pages.set(name, pageOf(name, `The text of ${name}.`));
      site.pages.set('/empty', '<html><body></body></html>');
      await open();
      await page.getByText('No sources yet').waitFor();
      await button('Add a source').click();
      const dialog = page.getByRole('dialog', { name: 'Add a source' });
      await dialog.getByLabel('Start addresses').fill('help');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await dialog.getByText('Enter an address that starts with https://').waitFor();
      await dialog.getByLabel('Start addresses').fill(`${site.url}/`);
      await dialog.getByLabel('Pages at most').fill('');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await dialog.getByText('Enter a number').waitFor();
      await dialog.getByLabel('Pages at most').fill('100');
      await dialog.getByLabel('Name').fill('Help center');
      await dialog.getByLabel('Not these pages').fill('/page-5');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await row('Help center').getByText('reading').waitFor();
      await row('Help center')
        .getByText(/page(s)? read so far/)
        .waitFor();
      await row('Help center').getByText('up to date').waitFor({ timeout: 120_000 });
      await row('Help center').getByText('6 added, 1 refused').waitFor();

      await page
        .getByRole('link', { name: / documents? of Help center/ })
        .getByText('6 documents')
        .waitFor();
      await button('Runs of Help center').click();
      await page.getByRole('list', { name: 'Refused' }).getByText('/empty: ').waitFor();
      await page.getByRole('button', { name: 'Show documents' }).click();
      const added = page.getByRole('list', { name: 'Added', exact: true });
      await added.getByText('/page-4').waitFor();
      expect(await added.getByRole('listitem').count()).toBe(6);
      await page.keyboard.press('Escape');

      await button('Edit Help center').click();
      const edit = page.getByRole('dialog', { name: 'Edit the source' });
      await edit.getByLabel('Name').fill('Manual');
      await edit.getByLabel('Start addresses').fill('ftp://files.example/');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByText('Entries must be addresses that start with http://').waitFor();
      await edit.getByLabel('Start addresses').fill(`${site.url}/`);
      await edit.getByRole('combobox', { name: 'Read again' }).click();
      await page.getByRole('option', { name: 'Every day at 03:00 UTC' }).click();
      await edit.getByRole('button', { name: 'Save' }).click();
      await row('Manual').getByText('Every day at 03:00 UTC, next').waitFor();

      await button('Pause Manual').click();
      await row('Manual').getByText('paused', { exact: true }).waitFor();
      await button('Read now: Manual').waitFor({ state: 'detached' });
      await button('Resume Manual').click();
      await button('Read now: Manual').waitFor();

      await button('Delete Manual').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No sources yet').waitFor();
      const { projectId } = test.tenant;
      await eventually(async () =>
        expect(await test.service.system.db.document.count({ where: { projectId } })).toBe(0),
      );
      expect(owner.errors).toEqual([]);
    });

    it('can be Git repositories, buckets and Notion, whose secrets are not shown again', async () => {
      await open();
      await button('Add a source').click();
      const dialog = page.getByRole('dialog', { name: 'Add a source' });
      await dialog.getByText('S3 bucket').click();
      await dialog.getByLabel('Address of the server').fill(site.url);
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await dialog.getByText('Enter the bucket').waitFor();
      await dialog.getByRole('textbox', { name: /^Bucket/ }).fill('manuals');
      await dialog.getByLabel('Id of the access key').fill('reader');
      await dialog.getByLabel('Secret access key', { exact: true }).fill('a-secret');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await row('manuals').getByText('/manuals/').waitFor();
      await button('Edit manuals').click();
      const edit = page.getByRole('dialog', { name: 'Edit the source' });
      await edit.getByText('Empty: the stored one is kept.').waitFor();
      expect(await edit.getByLabel('Secret access key', { exact: true }).inputValue()).toBe('');
      await edit.getByLabel('Beginning of the keys').fill('en/');
      await edit.getByRole('button', { name: 'Save' }).click();
      await row('manuals').getByText('/manuals/en/').waitFor();
      const source = await test.service.system.db.source.findFirstOrThrow({
        where: { projectId: test.tenant.projectId, name: 'manuals' },
      });
      expect(JSON.stringify(source)).not.toContain('a-secret');

      const { id: sourceId, projectId } = source;
      await test.service.system.db.sourceRun.createMany({
        data: Array.from({ length: 25 }, () => {
          return { id: newId(), sourceId, projectId, finishedAt: new Date() };
        }),
      });
      await button('Runs of manuals').click();
      await page.getByText(/^The latest 20 of 2\d runs\.$/).waitFor();
      await page.keyboard.press('Escape');

      await button('Add a source').click();
      await dialog.getByText('Git repository').click();
      await dialog.getByLabel('Address of the repository').fill(`${site.url}/handbook.git`);
      await dialog.getByLabel('Name').fill('Handbook');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await row('Handbook').getByText('/handbook.git').waitFor();

      await button('Add a source').click();
      await dialog.getByText('Notion', { exact: true }).click();
      await dialog.getByLabel('Token of the integration', { exact: true }).fill('ntn_hidden');
      await dialog.getByLabel('Only these pages and databases').fill('Handbook');
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await dialog.getByText('Entries must be ids or links of pages').waitFor();
      const id = '0a1b2c3d-4e5f-4a0b-8c0d-0123456789ab';
      await dialog.getByLabel('Only these pages and databases').fill(id);
      await dialog.getByRole('button', { name: 'Add and read' }).click();
      await row('Notion').getByText(id).waitFor();
    });

    it('are shown to an agent, who cannot change them', async () => {
      const agent = await test.member('agent@harbour.example', 'AGENT');
      await open(agent.page);
      await row('manuals', agent.page).waitFor();
      expect(await agent.page.getByRole('button', { name: 'Add a source' }).count()).toBe(0);
    });
  },
);
