import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import {
  allSent,
  conversationOn,
  endUsers,
  itemOf,
  messagesOn,
} from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

/** Pixels of the screen in which the transcript is visible. */
const transcriptHeight = (page: Page) =>
  messagesOn(page).evaluate((log) => log.parentElement?.clientHeight ?? 0);

describe.skipIf(chromiumPath === undefined)('the layout of the inbox', () => {
  let test: DashboardTest;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    await addDocuments(test.service, test.tenant.projectId, {
      'Pool.md': '# Pool\n\nThe pool opens at seven in the morning and closes at ten.',
    });
  }, 60_000);
  afterAll(() => test?.stop());

  const requestHandoff = async (name: string) => {
    const messages = Array.from({ length: 40 }, (_, n) => `Message ${n + 1}.`);
    const { projectId } = test.tenant;
    return users.requestHandoff(
      name,
      await addConversation(test.service, projectId, { endUserId: `of-${name}`, messages }),
    );
  };

  it('leaves most of a laptop screen to the transcript, also with a suggested reply', async () => {
    const { page, errors } = await test.member('lea@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Mona');
    await itemOf(page, 'Mona').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    expect(await transcriptHeight(page)).toBeGreaterThanOrEqual(430);

    await users.ask('When does the pool open?', conversationId);
    const suggestion = page.getByRole('region', { name: 'Suggested reply' });
    await suggestion.getByText(/opens at seven/).waitFor();
    expect(await transcriptHeight(page)).toBeGreaterThanOrEqual(330);
    // No tooltip covers the page.
    await page.mouse.move(0, 0);
    expect(await findPageViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('shows what the page says of the visitor as not verified', async () => {
    const { page, errors } = await test.member('noa@harbour.example', 'AGENT');
    const id = await requestHandoff('Vera');
    await test.service.system.db.conversation.update({
      where: { id },
      data: {
        visitorPage: 'https://www.harbour.example/rooms',
        visitorAttributes: { plan: 'pro', seats: 12, note: '<b>bold</b>' },
      },
    });
    await itemOf(page, 'Vera').click();
    const shown = page.getByRole('region', { name: 'Attributes of the visitor' });
    await shown.getByText('From the page, not verified').waitFor();
    expect(await shown.textContent()).toMatch(/note: <b>bold<\/b>plan: proseats: 12/);
    expect(await findPageViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('has a head of one line and a pane to open on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    const { page, errors } = await test.member('pia@harbour.example', 'AGENT', phone);
    await requestHandoff('Paul');
    await itemOf(page, 'Paul').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    const head = await conversationOn(page)
      .getByRole('heading', { name: 'Paul' })
      .locator('..')
      .boundingBox();
    expect(head?.height).toBeLessThanOrEqual(48);
    await page.getByRole('button', { name: 'About the end user' }).click();
    const pane = page.getByRole('dialog', { name: 'About the end user' });
    await pane.getByText('Paul wants a person').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'hidden' });
    expect(errors).toEqual([]);
  });

  it('gives the focus to the reply field before the claim is stored, and sends what was typed', async () => {
    const { page } = await test.member('cleo@harbour.example', 'AGENT');
    await requestHandoff('Clara');
    let claim = () => {};
    const isAllowed = new Promise<void>((resolve) => {
      claim = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation ClaimHandoff')) await isAllowed;
      await route.continue();
    });
    await itemOf(page, 'Clara').click();
    await conversationOn(page).getByRole('button', { name: 'Claim' }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Good morning, Clara');
    const reply = page.getByLabel('Your reply');
    expect(await reply.inputValue()).toBe('Good morning, Clara');
    await reply.press('Enter');
    await reply.fill('How can I help?');
    await reply.press('Enter');
    await reply.fill('Not finished');
    expect(await messagesOn(page).getByText('Good morning, Clara').count()).toBe(0);
    claim();
    await messagesOn(page).getByText('How can I help?').waitFor();
    await allSent(page);
    const sent = await test.service.system.db.message.findMany({
      where: { projectId: test.tenant.projectId, role: 'AGENT' },
      orderBy: { createdAt: 'asc' },
    });
    expect(sent.slice(-2).map(({ content }) => content)).toEqual([
      'Good morning, Clara',
      'How can I help?',
    ]);
    expect(await reply.inputValue()).toBe('Not finished');
  });
});
