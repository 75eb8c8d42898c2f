import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { allSent, endUsers, itemOf, live, messagesOn } from '../support/pages/inbox-page.ts';
import { startFaultProxy } from '../support/servers/fault-proxy.ts';

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

  async function repliesIn(conversationId: string): Promise<string[]> {
    const replies = await test.service.system.db.message.findMany({
      where: { conversationId, role: 'AGENT' },
      orderBy: { position: 'asc' },
    });
    return replies.map(({ content }) => content);
  }

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

  it('sends a reply once, and shows its state, if the line falls silent in the middle of it', async () => {
    await test.member('dan@harbour.example', 'AGENT').then(({ page }) => page.context().close());
    const line = await startFaultProxy(test.service.url);
    const service = { ...test.service, url: line.url };
    const { page } = await signIn(test.browser, service, 'dan@harbour.example');
    const conversationId = await requestHandoff('Nele');
    await itemOf(page, 'Nele').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.waitFor();
    await live(page);
    await page.clock.install();
    await page.reload();
    await live(page);
    await reply.fill('Only once please');

    // The service stores the first reply, and its answer never arrives.
    let isLost = false;
    await page.route('**/graphql', async (route) => {
      if (isLost || !route.request().postData()?.includes('mutation Reply'))
        return route.continue();
      isLost = true;
      await route.fetch();
      line.freeze();
    });
    await reply.press('Enter');
    await messagesOn(page).getByText('sending…').waitFor();
    await eventually(() => repliesIn(conversationId)).toEqual(['Only once please']);
    await reply.fill('And this one after it');
    await reply.press('Enter');
    expect(await messagesOn(page).getByText('sending…').count()).toBe(2);
    const isSent = async () => {
      await page.clock.fastForward(5_000);
      return (await repliesIn(conversationId)).join(' | ');
    };
    await expect
      .poll(isSent, { timeout: 45_000, interval: 500 })
      .toBe('Only once please | And this one after it');
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(2_000);
          return messagesOn(page)
            .getByText(/^(sending…|sent)$/)
            .count();
        },
        { timeout: 45_000, interval: 500 },
      )
      .toBe(0);
    expect(await messagesOn(page).getByText('Only once please').count()).toBe(1);
    await page.context().close();
    await line.close();
  });

  it('sends a reply once if the page is reloaded while it is being sent', async () => {
    const { page } = await test.member('eva@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Lars');
    await itemOf(page, 'Lars').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.fill('Only once please');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Reply')) return route.continue();
      await route.fetch();
    });
    await reply.press('Enter');
    await eventually(() => repliesIn(conversationId)).toEqual(['Only once please']);
    await reply.fill('A thought');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await messagesOn(page).getByText('Only once please').waitFor();
    await allSent(page);
    expect(await messagesOn(page).getByText('Only once please').count()).toBe(1);
    expect(await reply.inputValue()).toBe('A thought');
    expect(await repliesIn(conversationId)).toEqual(['Only once please']);
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
