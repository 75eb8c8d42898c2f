import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { chromiumPath, eventually, signIn } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { endUsers, itemOf, live, messagesOn } from '../support/inbox-page.ts';
import { restClient } from '../support/rest-client.ts';

describe.skipIf(chromiumPath === undefined)('the inbox, when something goes wrong', () => {
  let test: DashboardTest;
  let ask: ReturnType<typeof endUsers>['ask'];
  let requestHandoff: ReturnType<typeof endUsers>['requestHandoff'];
  beforeAll(async () => {
    test = await startDashboardTest();
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    ({ ask, requestHandoff } = endUsers(rest));
  });
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  it('repeats a reload that failed, keeps the list until then, and says so', async () => {
    const { page } = await test.member('ann@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Ida');
    await itemOf(page, 'Ida').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('radiogroup', { name: 'Filter handoffs' }).getByText('Mine').click();
    await itemOf(page, 'Ida').waitFor();
    await live(page);

    let refused = 0;
    await page.route('**/graphql', (route) => {
      if (!/query (?:Handoffs|TranscriptPart)/.test(route.request().postData() ?? ''))
        return route.continue();
      refused += 1;
      return route.fulfill({ status: 502, body: 'Bad gateway' });
    });
    await ask('Said at the wrong moment', conversationId);
    await page.getByText('Not up to date', { exact: true }).waitFor();
    await eventually(() => refused).toBeGreaterThan(1);
    expect(await itemOf(page, 'Ida').count()).toBe(1);
    expect(await page.getByText('Loading failed').count()).toBe(0);
    await page.unrouteAll();
    await messagesOn(page).getByText('Said at the wrong moment').waitFor();
    await live(page);
  });

  it('notices within 20 seconds that a connection has fallen silent, and loads what it missed', async () => {
    await test.member('ben@harbour.example', 'AGENT').then(({ page }) => page.context().close());
    const line = await startFaultProxy(test.service.url);
    const service = { ...test.service, url: line.url };
    const { page } = await signIn(test.browser, service, 'ben@harbour.example');
    const conversationId = await requestHandoff('Otto');
    await itemOf(page, 'Otto').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').waitFor();
    await live(page);
    await page.clock.install();
    // From the next part of the stream on, the page uses the test's clock.
    await page.reload();
    await live(page);
    await page.getByLabel('Your reply').waitFor();

    line.freeze();
    await ask('Can anybody read this?', conversationId);
    await page.clock.fastForward(20_000);
    // Retries also wait for the test's clock.
    const isShown = async () => {
      await page.clock.fastForward(2_000);
      return messagesOn(page).getByText('Can anybody read this?').isVisible();
    };
    await expect.poll(isShown, { timeout: 45_000, interval: 500 }).toBe(true);
    await live(page);
    await page.context().close();
    await line.close();
  });

  it('shows what is said after the handoff is resolved', async () => {
    const { page } = await test.member('cleo@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Mira');
    await itemOf(page, 'Mira').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').waitFor();
    const handoff = await test.service.system.db.handoff.findFirstOrThrow({
      where: { conversationId },
    });
    await resolveHandoff(test.service.system, { handoffId: handoff.id });
    await page.getByText('Resolved', { exact: true }).last().waitFor();
    for (const message of ['One more thing', 'And another one']) {
      await ask(message, conversationId);
      await messagesOn(page).getByText(message).waitFor();
    }

    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
    await page.getByText('Mira would like to know more').waitFor();
    await ask('A new conversation begins');
    await page.getByText('A new conversation begins').waitFor();
  });
});
