import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, eventually, openWindow } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

const step = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: title });

const doneCount = (page: Page) => page.getByText(/of 5 steps done/).textContent();

describe.skipIf(chromiumPath === undefined)('the page "Get started"', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  /** Signs in and returns the first page that the dashboard opens. */
  const open = async (email: string) => {
    const { page } = await openWindow(test.browser);
    const secret = await createSignInSecret(test.service.adapters, email);
    await page.goto(`${test.service.url}/dashboard/#sign-in=${secret}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

  it('opens first for an owner, and each step ticks itself', async () => {
    const { projectId, organizationId } = test.tenant;
    const { system } = test.service;
    const email = 'owner@start.example';
    await inviteMember(system, { organizationId, email, role: 'OWNER' });
    const page = await open(email);
    await eventually(() => doneCount(page)).toMatch(/^0 of 5/);
    expect(await heading(page)).toBe('Get started');

    const content = readFileSync('test/fixtures/faq.md', 'utf8');
    await addDocuments(test.service, projectId, { 'faq.md': content });
    await page.reload();
    await eventually(() => doneCount(page)).toMatch(/^1 of 5/);
    await step(page, 'Add documents').getByText('Done').waitFor();

    await page.getByRole('link', { name: 'When is breakfast?' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Pier Restaurant').first().waitFor();
    await page.getByRole('link', { name: 'Get started' }).click();
    await step(page, 'Ask a question').getByText('Done', { exact: true }).waitFor();

    await step(page, 'Choose the model').getByText('Now answers: the built-in model.').waitFor();
    await page.getByRole('button', { name: 'Keep the built-in model' }).click();
    await step(page, 'Choose the model').getByText('Done', { exact: true }).waitFor();

    const asked = { projectId, message: 'When is check-out?' };
    await sendMessage({ ...system, channel: 'WIDGET' }, asked);
    const role = 'AGENT';
    await inviteMember(system, { organizationId, email: 'agent@start.example', role });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await eventually(() => doneCount(page)).toMatch(/^5 of 5/);
    expect(await page.getByRole('button', { name: 'Hide' }).count()).toBe(0);

    await page.goto(`${test.service.url}/dashboard/`);
    await eventually(() => heading(page)).toBe('Analytics');
    const agent = await open('agent@start.example');
    expect(await heading(agent)).toBe('Inbox');
    expect(await agent.getByRole('link', { name: 'Get started' }).count()).toBe(0);
  });

  it('stays in the menu after an owner has hidden it', async () => {
    const { projectId, organizationId } = await test.service.createTenant();
    const email = 'other@start.example';
    await inviteMember(test.service.system, { organizationId, email, role: 'OWNER' });
    const page = await open(email);
    await page.getByRole('button', { name: 'Hide' }).click();
    await eventually(() => heading(page)).toBe('Analytics');
    await page.goto(`${test.service.url}/dashboard/${projectId}`);
    await eventually(() => heading(page)).toBe('Analytics');
    await page.getByRole('link', { name: 'Get started' }).click();
    await eventually(() => doneCount(page)).toMatch(/^0 of 5/);
  });

  it('leads to the models, which say what they can do and whether they work', async () => {
    const { projectId } = test.tenant;
    const { page } = await test.member('models@start.example', 'ADMIN');
    await sendMessage(test.service.system, { projectId, message: 'When is breakfast?' });
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('link', { name: 'See the models' }).click();
    const models = page.getByRole('list', { name: 'Models' }).getByRole('listitem');
    const chat = models.filter({ hasText: 'Made for English. Ignores instructions.' });
    await chat.getByText('Works', { exact: true }).waitFor();
    await chat.getByText(/^Last success .* Median duration \d/).waitFor();
    expect(await models.count()).toBe(4);
    await page.getByRole('tab', { name: 'Assistant' }).click();
    await page.getByText('the built-in model quotes and ignores instructions').waitFor();
  });
});
