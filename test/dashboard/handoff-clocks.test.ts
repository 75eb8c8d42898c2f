import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { conversationOn, endUsers, itemOf } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

const minuteMs = 60_000;

describe.skipIf(chromiumPath === undefined)('the clocks of handoffs', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('have targets in the settings, and the inbox marks what is near its target or has missed it', async () => {
    const { projectId } = test.tenant;
    const { db } = test.service.system;
    const users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    const lead = await test.member('lea@harbour.example', 'ADMIN');
    await lead.page.goto(`${test.service.url}/dashboard/${projectId}/settings`);
    await lead.page.getByLabel('First reply within').fill('30');
    await lead.page.getByLabel('Resolution within').fill('600');
    await lead.page.getByRole('button', { name: 'Save' }).click();
    await lead.page.getByText('Saved', { exact: true }).waitFor();
    expect(await db.project.findUniqueOrThrow({ where: { id: projectId } })).toMatchObject({
      firstReplyTargetMinutes: 30,
      resolutionTargetMinutes: 600,
    });

    const conversationId = await users.requestHandoff('Mona');
    const agent = await test.member('kai@harbour.example', 'AGENT');
    const { page } = agent;
    await page.clock.install();
    await page.reload();
    await itemOf(page, 'Mona').click();
    const [item, conversation] = [itemOf(page, 'Mona'), conversationOn(page)];
    await conversation.getByText('Reply due in 30 min').waitFor();
    await conversation.getByText('Resolution due in 10 h').waitFor();
    expect(await item.getByText('due').count()).toBe(0);
    await page.clock.fastForward(24 * minuteMs);
    await item.getByText('Reply due in 6 min').waitFor();
    await conversation.getByText('Reply due in 6 min').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await page.clock.fastForward(10 * minuteMs);
    await item.getByText('Reply overdue by 4 min').waitFor();
    await conversation.getByText('Reply overdue by 4 min').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findPageViolations(page)).toEqual([]);

    const requestedAt = new Date(Date.now() - 60 * minuteMs);
    const firstReplyDueAt = new Date(Date.now() - 30 * minuteMs);
    await db.handoff.updateMany({
      where: { projectId, conversationId },
      data: { requestedAt, firstReplyDueAt },
    });
    await conversation.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').fill('Good morning');
    await page.getByRole('button', { name: 'Send' }).click();
    await conversation.getByText('Reply was late').waitFor();
    await item.getByText('Reply was late').waitFor();
    await eventually(() => conversation.getByText('overdue').count()).toBe(0);
    expect([...lead.errors, ...agent.errors]).toEqual([]);
  });
});
