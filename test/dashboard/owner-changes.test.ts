import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferHandoff } from '../../src/domain/handoff/transfer-handoff.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { conversationOn, endUsers, itemOf, messagesOn } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

const isRecentAssignments = (request: Request) =>
  request.postData()?.includes('recentAssignments(') ?? false;

describe.skipIf(chromiumPath === undefined)('changes of the owner', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('appear in an open transcript at once, in order, for agents only', async () => {
    const users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    const conversationId = await users.requestHandoff('Nora');
    const ana = await test.member('ana@harbour.example', 'AGENT');
    const ben = await test.member('ben@harbour.example', 'AGENT');
    for (const { page } of [ana, ben]) await itemOf(page, 'Nora').click();
    await ana.page.getByRole('button', { name: 'Claim' }).click();
    await messagesOn(ana.page).getByText('You claimed the conversation').waitFor();
    await messagesOn(ben.page).getByText('ana@harbour.example claimed the conversation').waitFor();

    await ana.page.getByRole('button', { name: 'Transfer' }).click();
    await ana.page.getByRole('menuitem', { name: 'ben@harbour.example' }).click();
    const dialog = ana.page.getByRole('dialog');
    await dialog.getByLabel('Note (optional)').fill('Asks for a refund');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    const transfer = 'ana@harbour.example transferred the conversation to you';
    await messagesOn(ben.page).getByText(transfer).waitFor();
    await messagesOn(ana.page)
      .getByText('You transferred the conversation to ben@harbour.example')
      .waitFor();

    await ana.page.getByRole('button', { name: 'Take over' }).click();
    await messagesOn(ben.page).getByText('ana@harbour.example took over from you').waitFor();
    await users.ask('Any news?', conversationId);
    await messagesOn(ben.page).getByText('Any news?').waitFor();
    const texts = await messagesOn(ben.page).getByRole('listitem').allInnerTexts();
    const order = ['claimed', 'transferred', 'Asks for a refund', 'took over', 'Any news?'];
    const places = order.map((text) => texts.findIndex((entry) => entry.includes(text)));
    expect(places).toEqual([2, 3, 4, 5, 6]);

    for (const { page } of [ana, ben]) {
      await page.setViewportSize({ width: 390, height: 844 });
      await eventually(() => page.evaluate(() => document.body.scrollWidth)).toBe(390);
      expect(await findPageViolations(page)).toEqual([]);
    }
    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    await viewer.page.goto(
      `${test.service.url}/dashboard/${test.tenant.projectId}/inbox/${conversationId}`,
    );
    await messagesOn(viewer.page).getByText('Any news?').waitFor();
    expect(await conversationOn(viewer.page).textContent()).not.toContain('transferred');
    expect([...ana.errors, ...ben.errors, ...viewer.errors]).toEqual([]);
  });

  it('leave one row of a conversation that is handed over again', async () => {
    const users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    const { page, errors } = await test.member('cleo@harbour.example', 'AGENT');
    const conversationId = await users.requestHandoff('Otto');
    for (const count of [1, 2]) {
      await users.requestHandoff('Otto', conversationId);
      await page.getByText('Waiting', { exact: false }).first().click();
      await itemOf(page, 'Otto').click();
      await page.getByRole('button', { name: 'Claim' }).click();
      await page.getByRole('button', { name: 'Resolve' }).click();
      await eventually(() =>
        test.service.system.db.handoff.count({ where: { conversationId, status: 'RESOLVED' } }),
      ).toBe(count);
      await page.getByText('Resolved (1)', { exact: true }).click();
      await itemOf(page, 'Otto').waitFor();
      expect(await itemOf(page, 'Otto').count()).toBe(1);
    }
    expect(errors).toEqual([]);
  });

  it('are noticed by the new owner on the pages of another project', async () => {
    const { service, tenant } = test;
    const { organizationId } = tenant;
    const users = endUsers(restClient(`${service.url}/api/v1`, await tenant.key()));
    const conversationId = await users.requestHandoff('Pia');
    const { page, errors } = await test.member('dora@harbour.example', 'AGENT');
    await itemOf(page, 'Pia').waitFor();
    // While the organization has only one project, the page reads no assignments. So the response below comes from the
    // page of the second project.
    const { id } = await createProject(service.system, { organizationId, name: 'Spa' });
    const read = page.waitForResponse((response) => isRecentAssignments(response.request()));
    await page.goto(`${service.url}/dashboard/${id}/usage`);
    await (await read).finished();
    const { id: handoffId } = await service.system.db.handoff.findFirstOrThrow({
      where: { conversationId },
    });
    await transferHandoff(service.system, { handoffId, to: 'dora@harbour.example' });
    const notice = page.getByRole('alert').filter({ hasText: 'A conversation in Front desk' });
    // The page reads assignments every 30 seconds. The test cannot speed up the clock, because requests would then time
    // out.
    await notice.getByRole('button', { name: 'Open' }).click({ timeout: 90_000 });
    await page.waitForURL(`**/${tenant.projectId}/inbox/${conversationId}`);
    await page.getByLabel('Your reply').waitFor();
    expect(errors).toEqual([]);
  }, 150_000);
});
