import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { newId } from '../../src/platform/ids.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)(
  'the unanswered questions page',
  { timeout: 240_000 },
  () => {
    let test: DashboardTest;
    let owner: OpenPage;
    beforeAll(async () => {
      test = await startDashboardTest();
      owner = await test.member('owner@harbour.example', 'OWNER');
    }, 180_000);
    afterAll(() => test?.stop());

    const open = () =>
      owner.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/unanswered`);
    const ask = (message: string) =>
      sendMessage(test.service.system, { projectId: test.tenant.projectId, message });

    it('collects unanswered questions, and asks again in place after a document was added', async () => {
      const { page } = owner;
      await open();
      await page.getByText('No unanswered questions').waitFor();
      await ask('Do you lend umbrellas?');
      await ask('do you lend umbrellas');
      await ask('Is there a gym?');
      await open();
      const menu = page.getByRole('navigation', { name: 'Pages' });
      const menuCount = (count: number) =>
        menu.getByRole('link', { name: `Unanswered ${count} open`, exact: true });
      await menuCount(2).waitFor();
      const question = page.getByRole('listitem').filter({ hasText: /lend umbrellas/i });
      await question.getByText('asked 2 times').waitFor();
      await question.getByRole('link', { name: 'the latest conversation' }).waitFor();
      await question.getByRole('button', { name: 'Ask again' }).click();
      await question.getByText("I don't know").waitFor();

      await question.getByRole('button', { name: 'Write the answer' }).click();
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.inputValue()).toMatch(/^do you lend umbrellas$/i);
      const text = page.getByRole('textbox', { name: 'Text' });
      await text.press('Control+End');
      await text.pressSequentially('Yes, we lend umbrellas at the front desk for free.');
      expect(await text.inputValue()).toMatch(/^# do you lend umbrellas\??\n\nYes, we lend/i);
      await page.getByRole('button', { name: 'Create' }).click();
      await question.getByText('The assistant now answers').waitFor();
      await question.getByText('lend umbrellas at the front desk').first().waitFor();
      await question.getByText('The question is done and linked to the document.').waitFor();
      await menuCount(1).waitFor();
      await question.getByText(/^Confidence \d+ %/).waitFor();
      await question.getByRole('list', { name: 'Sources' }).getByRole('link').click();
      await page.locator('[aria-current="true"]').getByText('at the front desk').waitFor();
      expect(owner.errors.splice(0)).toEqual([]);
    });

    it('lists it as done with its document, dismisses another one, opens it again and merges', async () => {
      const { page } = owner;
      await ask('Is there a gym?');
      await ask('Where can I park?');
      await open();
      const item = (text: RegExp) => page.getByRole('listitem').filter({ hasText: text });
      await item(/gym/).getByText('new in these 30 days').waitFor();
      expect(await item(/umbrellas/).count()).toBe(0);
      await page.getByText('Done', { exact: true }).click();
      await item(/umbrellas/)
        .getByText('Marked as done by owner@harbour.example')
        .waitFor();
      await item(/umbrellas/)
        .getByRole('link', { name: 'Open the document' })
        .waitFor();

      await page.getByText('Open', { exact: true }).click();
      await item(/gym/).getByRole('button', { name: 'Decide…' }).click();
      await page.getByRole('menuitem', { name: 'Dismiss: not for us' }).click();
      await item(/gym/).waitFor({ state: 'detached' });
      const unanswered = page.getByRole('link', { name: /^Unanswered/ });
      await eventually(() => unanswered.textContent()).toBe('Unanswered1');
      await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/playground`);
      await eventually(() => unanswered.textContent()).toBe('Unanswered1');
      await open();
      await page.getByText('Dismissed', { exact: true }).click();
      await item(/gym/).getByRole('button', { name: 'Open again' }).click();
      await page.getByText('Nothing dismissed').waitFor();

      await page.getByText('Open', { exact: true }).click();
      await item(/park/).getByRole('button', { name: 'Decide…' }).click();
      await page.getByRole('menuitem', { name: 'Merge with another question…' }).click();
      await page.getByLabel('Same as').selectOption({ label: 'Is there a gym?' });
      await page.getByRole('button', { name: 'Merge', exact: true }).click();
      await item(/park/).waitFor({ state: 'detached' });
      await item(/gym/).getByText('asked 3 times').waitFor();
      expect(owner.errors.splice(0)).toEqual([]);
    });

    it('makes the reply of an agent a document, which the assistant then answers from', async () => {
      const { page } = owner;
      const { db } = test.service.system;
      const { projectId } = test.tenant;
      const { conversationId } = await ask('Where can I charge my electric car?');
      await db.message.create({
        data: {
          ...{ id: newId(), projectId, conversationId, position: 3, role: 'AGENT' },
          ...{ author: 'agent@harbour.example' },
          content: 'You can charge your electric car in the garage for 5 euros.',
        },
      });
      const url = `${test.service.url}/dashboard/${projectId}/conversations/${conversationId}`;
      await page.goto(url);
      await page.getByRole('button', { name: 'Make this answer a document' }).click();
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.inputValue()).toBe('Where can I charge my electric car');
      expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
        '# Where can I charge my electric car?\n\nYou can charge your electric car in the garage for 5 euros.',
      );
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('The assistant now answers').waitFor();
      await page.getByText('The question is done and linked to the document.').waitFor();
      const decision = await db.questionDecision.findFirstOrThrow({
        where: { projectId, message: { conversationId } },
      });
      expect(decision).toMatchObject({ status: 'DONE', decidedBy: 'owner@harbour.example' });
      expect(decision.documentId).not.toBeNull();
      expect(await db.conversation.count({ where: { projectId, channel: 'PLAYGROUND' } })).toBe(0);

      const agent = await test.member('second@harbour.example', 'AGENT');
      await agent.page.goto(url);
      await agent.page.getByRole('button', { name: 'Make this answer a document' }).click();
      await agent.page.getByText('Your role may not write documents.').waitFor();
      expect([...owner.errors.splice(0), ...agent.errors]).toEqual([]);
    });

    it('shows questions as plain text', async () => {
      const { page } = owner;
      const evil =
        '<img src=x onerror="window.hacked=1"> [x](javascript:window.hacked=1) </script>';
      await ask(`${evil} Where is the harp?`);
      await open();
      const question = page.getByRole('listitem').filter({ hasText: 'Where is the harp?' });
      await question.getByText(evil).waitFor();
      await question.getByRole('button', { name: 'Write the answer' }).click();
      await page.getByRole('textbox', { name: 'Text' }).waitFor();
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Ask again' }).click();
      await question.getByText("I don't know").waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(await page.locator('main img, a[href^="javascript:"]').count()).toBe(0);
      expect(owner.errors.splice(0)).toEqual([]);
    });

    it('lets agents ask, but not write', async () => {
      const agent = await test.member('agent@harbour.example', 'AGENT');
      await agent.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/unanswered`);
      await agent.page.getByRole('button', { name: 'Ask again' }).first().waitFor();
      expect(await agent.page.getByRole('button', { name: 'Write the answer' }).count()).toBe(0);
      expect(agent.errors).toEqual([]);
    });
  },
);
