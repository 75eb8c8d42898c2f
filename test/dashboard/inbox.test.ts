import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';
import { restClient } from '../support/rest-client.ts';

describe.skipIf(chromiumPath === undefined)('the inbox', () => {
  let test: DashboardTest;
  let rest: ReturnType<typeof restClient>;
  beforeAll(async () => {
    test = await startDashboardTest();
    rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
  });
  afterAll(() => test?.stop());

  async function ask(message: string, conversationId?: string): Promise<string> {
    const response = await rest.post('/chat', { message, conversationId });
    return (await response.json()).conversationId;
  }

  async function requestHandoff(name: string): Promise<string> {
    const conversationId = await ask(`${name} would like to know more`);
    await rest.post('/handoff', { conversationId, name, reason: `${name} wants a person` });
    return conversationId;
  }

  it('shows a handoff to two agents at once, and to each what the other does with it', async () => {
    const ann = await test.member('ann@harbour.example', 'AGENT');
    const ben = await test.member('ben@harbour.example', 'AGENT');
    await ann.page.getByText('Live', { exact: true }).waitFor();
    await ben.page.getByText('Live', { exact: true }).waitFor();

    const conversationId = await requestHandoff('Mira');
    const item = { name: /Mira wants a person/ };
    await ann.page.getByRole('link', item).click();
    await ben.page.getByRole('link', item).click();
    await expect.poll(() => ben.page.title()).toBe('(1) Inbox · grounded-chat');

    await ann.page.getByRole('button', { name: 'Claim' }).click();
    const conversation = ben.page.getByRole('region', { name: 'Conversation' });
    await conversation.getByText('ann@harbour.example').waitFor();
    expect(await ben.page.getByRole('button', { name: 'Claim' }).count()).toBe(0);
    await expect.poll(() => ben.page.title()).toBe('Inbox · grounded-chat');

    await ann.page.getByLabel('Your reply').fill('Good morning, Mira. How can I help?');
    await ann.page.getByRole('button', { name: 'Send' }).click();
    await conversation.getByText('Good morning, Mira').waitFor();
    await ask('Is breakfast served on Sundays?', conversationId);
    await ann.page.getByText('Is breakfast served on Sundays?').waitFor();

    await ann.page.getByRole('button', { name: 'Transfer …' }).click();
    await ann.page.getByRole('menuitem', { name: 'ben@harbour.example' }).click();
    await conversation.getByText('ben@harbour.example').waitFor();
    await ben.page.getByRole('button', { name: 'Resolve' }).click();
    await ann.page.getByRole('region', { name: 'Conversation' }).getByText('Resolved').waitFor();
    const transcript = await (await rest.get(`/conversations/${conversationId}`)).json();
    expect(transcript.status).toBe('RESOLVED');
    expect(ann.complaints.concat(ben.complaints)).toEqual([]);
  });

  it('gives a conversation back to the assistant', async () => {
    const { page } = await test.member('cleo@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Otto');
    await page.getByRole('link', { name: /Otto wants a person/ }).click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('button', { name: 'Return to the assistant' }).click();
    await page
      .getByRole('region', { name: 'Conversation' })
      .getByText('Open', { exact: true })
      .waitFor();
    const transcript = await (await rest.get(`/conversations/${conversationId}`)).json();
    expect(transcript.status).toBe('OPEN');
  });

  it('loses nothing while it is cut off, and says that it is', async () => {
    const { page } = await test.member('dora@harbour.example', 'AGENT');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Reconnecting …').waitFor();
    await requestHandoff('Yusuf');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: /Yusuf wants a person/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });
});
