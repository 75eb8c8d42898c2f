import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateIdentitySecret } from '../../src/domain/widget/rotate-identity-secret.ts';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { makeWidget } from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type HostPage, startHostPage } from '../support/pages/host-page.ts';

const testTimeoutMs = 300_000;

describe.skipIf(chromiumPath === undefined)('signed-in visitors', () => {
  let test: DashboardTest;
  let host: HostPage;
  let key: string;
  let secret: string;
  let attributes = '';
  beforeAll(async () => {
    test = await startDashboardTest();
    host = await startHostPage(test.service.url, () => `data-key="${key}" ${attributes}`);
    const { projectId } = test.tenant;
    key = await makeWidget(test.service, projectId, [host.url]);
    ({ secret } = await rotateIdentitySecret(test.service.system, { projectId }));
    await addDocuments(test.service, projectId, {
      'Guest guide': 'Breakfast is served from seven to ten. The laundry is open on Tuesdays.',
    });
  }, testTimeoutMs);
  afterAll(async () => {
    await host?.stop();
    await test?.stop();
  });

  const userOf = (userId: string) => ({
    userId,
    userHash: createHmac('sha256', secret).update(userId).digest('hex'),
    name: `Name of ${userId}`,
    email: `${userId}@example.com`,
  });
  const signInOnPage = (userId: string | null) => {
    const user = userId === null ? null : userOf(userId);
    attributes =
      user === null
        ? ''
        : `data-user-id="${user.userId}" data-user-hash="${user.userHash}" data-user-name="${user.name}"`;
  };
  const newDevice = async () => {
    const page = await (await test.browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(host.url);
    return page;
  };
  const identify = (page: Page, user: object | null) =>
    page.evaluate(
      (user) =>
        (
          window as unknown as { GroundedChat: { identify(user: object | null): void } }
        ).GroundedChat.identify(user),
      user,
    );

  it(
    'find their conversations on another device, and no other user on the same device does',
    async () => {
      signInOnPage('mira');
      const phone = await newDevice();
      const chat = await openChat(phone);
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').first().waitFor();
      await chat.getByRole('button', { name: 'New conversation' }).click();
      await ask(chat, 'When is the laundry open?');
      await chat.getByText('Guest guide').first().waitFor();

      const laptop = await newDevice();
      const there = await openChat(laptop);
      await there.getByText('When is the laundry open?').waitFor();
      await there.getByRole('button', { name: 'Your conversations' }).click();
      expect(await seriousViolations(laptop)).toEqual([]);
      await there.getByRole('button', { name: /When is breakfast served/ }).click();
      const messages = there.getByRole('region', { name: 'Conversation' });
      await messages.getByText('When is breakfast served?').waitFor();
      expect(await messages.getByText('When is the laundry open?').count()).toBe(0);

      await identify(laptop, userOf('noor'));
      await there.getByText('Hello! Ask a question').waitFor();
      await there.getByRole('button', { name: 'Your conversations' }).click();
      await there.getByRole('heading', { name: 'Your conversations' }).waitFor();
      await laptop.waitForLoadState('networkidle');
      expect(await there.getByText('breakfast').count()).toBe(0);
      const stored = await laptop.evaluate(() => JSON.stringify({ ...localStorage }));
      expect(stored).toContain('noor');
      expect(stored).not.toContain('mira');

      signInOnPage(null);
      await phone.goto(host.url);
      await chat.getByText('Hello! Ask a question').waitFor();
      expect(await chat.getByText('When is the laundry open?').count()).toBe(0);
      expect(await chat.getByRole('button', { name: 'Your conversations' }).count()).toBe(0);
    },
    testTimeoutMs,
  );

  it(
    'do not see an answer that another user on the page still receives',
    async () => {
      signInOnPage('ilse');
      const page = await newDevice();
      const chat = await openChat(page);
      await chat.getByLabel('Your question').fill('When is breakfast served?');
      await page.keyboard.press('Enter');
      await identify(page, userOf('otto'));
      await chat.getByText('Hello! Ask a question').waitFor();
      await ask(chat, 'When is the laundry open?');
      await chat.getByText('Guest guide').first().waitFor();
      expect(await chat.getByText('breakfast served?').count()).toBe(0);
      const ofOtto = await test.service.system.db.conversation.findMany({
        where: { projectId: test.tenant.projectId, endUserId: 'otto' },
      });
      expect(ofOtto.map(({ title }) => title)).toEqual(['When is the laundry open?']);
    },
    testTimeoutMs,
  );

  it(
    'with a wrong hash are refused, and anonymous ones are asked to sign in if the project requires it',
    async () => {
      attributes = 'data-user-id="mira" data-user-hash="00"';
      const page = await newDevice();
      const chat = await openChat(page);
      await chat.getByText('The chat is not available on this site').waitFor();
      expect(await chat.getByLabel('Your question').isVisible()).toBe(false);
      const { projectId } = test.tenant;
      await updateWidget(test.service.system, { projectId, isIdentityRequired: true });
      signInOnPage(null);
      await page.goto(host.url);
      await chat.getByText('Please sign in to this website to use the chat.').waitFor();
      await updateWidget(test.service.system, { projectId, isIdentityRequired: false });
    },
    testTimeoutMs,
  );

  it(
    'are shown to agents as verified, and owners create and rotate the secret in the settings',
    async () => {
      const { projectId } = test.tenant;
      signInOnPage('lena');
      const chat = await openChat(await newDevice());
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').first().waitFor();
      const { page } = await test.member('owner@harbour.example', 'OWNER');
      page.setDefaultTimeout(60_000);
      const { id } = await test.service.system.db.conversation.findFirstOrThrow({
        where: { projectId, endUserId: 'lena' },
      });
      await page.goto(`${test.service.url}/dashboard/${projectId}/conversations/${id}`);
      await page.getByText('Verified: lena').waitFor();
      await page.getByText('Name of lena').waitFor();

      await page.goto(`${test.service.url}/dashboard/${projectId}/settings/widget`);
      await page.getByRole('button', { name: 'Rotate the secret…' }).click();
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await page
        .getByText(/^idsec_/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('The old one expires').waitFor();
      await page.getByRole('switch', { name: 'Only verified users may chat' }).click();
      await page
        .getByRole('switch', { name: 'Only verified users may chat', checked: true })
        .waitFor();
    },
    testTimeoutMs,
  );
});

async function openChat(page: Page) {
  const chat = page.getByRole('dialog');
  const launcher = page.getByRole('button', { name: 'Open the chat' });
  await launcher.or(chat).first().waitFor();
  if (!(await chat.isVisible())) await launcher.click();
  await chat.waitFor();
  return chat;
}

async function ask(chat: ReturnType<Page['getByRole']>, question: string): Promise<void> {
  const field = chat.getByLabel('Your question');
  await field.fill(question);
  await field.press('Enter');
  await chat.getByText(question).first().waitFor();
}
