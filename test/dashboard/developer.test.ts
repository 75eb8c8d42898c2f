import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo, waitForDemoDocument } from '../../supabase/seed.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const markup = `<img src=x onerror="document.title = 'stolen'">`;

describe.skipIf(chromiumPath === undefined)('the developer page', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    test = await startDashboardTest();
    receiver = await startWebhookReceiver();
    owner = await test.member('owner@harbour.example', 'OWNER');
  });
  afterAll(async () => {
    await test?.stop();
    await receiver?.close();
  });

  const open = (path: string) =>
    owner.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/${path}`);
  const works = async (key: string) =>
    (
      await fetch(`${test.service.url}/api/v1/usage`, {
        headers: { Authorization: `Bearer ${key}` },
      })
    ).status === 200;
  const dialog = () => owner.page.getByRole('dialog');

  it('creates a working key, shows it once, rotates it with an overlap and revokes both', async () => {
    const { page } = owner;
    const name = `Website ${markup}`;
    const row = () => page.getByRole('listitem').filter({ hasText: name });
    const secret = async () => {
      const text = await dialog()
        .getByRole('group', { name: 'Secret' })
        .locator('pre')
        .textContent();
      await dialog().getByRole('button', { name: 'Done' }).click();
      return text ?? '';
    };
    await open('developer');
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    await dialog().getByText('Enter a name').waitFor();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('x'.repeat(201));
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    await dialog().getByText('Must be at most 200 characters').waitFor();
    await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog().getByRole('checkbox', { name: 'knowledge:write' }).uncheck();
    const filter = dialog().getByRole('textbox', { name: 'Only these documents' });
    await filter.fill('{"colour": {"eq": "red"}}');
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    await dialog().getByText('colour is not a field').waitFor();
    await filter.fill('');
    await dialog().getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    await dialog().getByRole('button', { name: 'Create the key' }).click();

    const request = dialog().getByRole('group', { name: 'Request' }).locator('pre');
    expect(await request.textContent()).toMatch(
      /^curl 'http:.*\/api\/v1\/chat'(?:.|\n)*Bearer sk_(?:.|\n)*"message"/,
    );
    await page.keyboard.press('Escape');
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    await (await asked).dismiss();
    const first = await secret();
    expect(await works(first)).toBe(true);
    expect(await page.content()).not.toContain(first);
    await row().getByText('active').waitFor();
    await row().getByText('chat, knowledge:read, conversations:read, analytics:read').waitFor();
    await page.reload();
    await row()
      .getByText(/last used just now · expires \w+ \d/)
      .waitFor();
    expect(await page.content()).not.toContain(first);

    await row().getByRole('button', { name: 'Rotate' }).click();
    await dialog()
      .getByRole('combobox', { name: /The old key expires/ })
      .click();
    await page.getByRole('option', { name: 'In 1 hour' }).click();
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    await dialog().getByText('Your new API key').waitFor();
    const second = await secret();
    expect(second).not.toBe(first);
    expect([await works(first), await works(second)]).toEqual([true, true]);
    await row()
      .filter({ hasText: 'replaced' })
      .getByText(/stops working in 1 hour/)
      .waitFor();

    for (const left of [1, 0]) {
      await row().getByRole('button', { name: 'Revoke' }).first().click();
      await dialog().getByRole('button', { name: 'Revoke' }).click();
      await expect.poll(() => row().count()).toBe(left);
    }
    expect([await works(first), await works(second)]).toEqual([false, false]);
    await page.getByRole('checkbox', { name: /revoked and expired keys \(2\)/ }).check();
    await expect.poll(() => row().count()).toBe(2);
    expect(await page.title()).not.toBe('stolen');
    expect(await page.locator('img').count()).toBe(0);
    expect(owner.errors).toEqual([]);
  });

  it("tries out the API reference and a new key's request on the demo project, which opens next time", {
    timeout: 180_000,
  }, async () => {
    const { adapters, url } = test.service;
    const demo = await seedDemo(adapters, 'owner@harbour.example');
    await waitForDemoDocument(adapters, demo);
    const { page } = owner;
    for (const [chapter, operation, path] of [
      ['chat', 'sendMessage', '/chat'],
      ['knowledge', 'searchKnowledge', '/knowledge/search'],
      ['knowledge', 'listDocuments', '/knowledge/documents'],
      ['conversations', 'listConversations', '/conversations'],
    ]) {
      await page.goto(`${url}/api/v1/docs/${chapter}`);
      if (chapter === 'chat') await page.getByLabel('API key').fill(demo.secret);
      const example = page.locator(`#${operation} ~ .split .try`);
      await example.locator('summary').click();
      const sent = page.waitForResponse((response) => response.url().includes(`/api/v1${path}`));
      await example.getByRole('button', { name: 'Send' }).click();
      const response = await sent;
      expect([path, response.status()]).toEqual([path, 200]);
      if (path === '/chat') expectGrounded(await response.json());
    }

    await page.goto(`${url}/dashboard/${demo.projectId}/developer`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('First key');
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    const request = dialog().getByRole('group', { name: 'Request' }).locator('pre');
    const command = (await request.textContent()) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expectGrounded(JSON.parse(stdout));
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.goto(`${url}/dashboard/`);
    await page.waitForURL(`${url}/dashboard/${demo.projectId}/start`);
  });

  it('creates a key for the whole organization, whose example request names the project', async () => {
    const { page } = owner;
    await open('developer');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Reports');
    await dialog()
      .getByRole('radio', { name: /All projects/ })
      .check();
    await dialog().getByRole('checkbox', { name: 'chat', exact: true }).uncheck();
    const cdpSession = await page.context().newCDPSession(page);
    await cdpSession.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
    await dialog().getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'On a date…' }).click();
    await dialog().getByLabel('Last day').fill('12099-10-25');
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    await dialog().getByText('Choose a date').waitFor();
    // This day has 25 hours, because daylight saving time ends.
    await dialog().getByLabel('Last day').fill('2099-10-25');
    await dialog().getByRole('button', { name: 'Create the key' }).click();
    const request = dialog().getByRole('group', { name: 'Request' }).locator('pre');
    const [, url, key] =
      /curl '([^']+)' \\\n {2}-H 'Authorization: Bearer ([^']+)'/.exec(
        (await request.textContent()) ?? '',
      ) ?? [];
    expect(url).toContain(`/api/v1/knowledge/documents?projectId=${test.tenant.projectId}`);
    const answer = await fetch(url ?? '', { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByText('Whole organization', { exact: true }).waitFor();
    const stored = await test.service.system.db.apiKey.findFirstOrThrow({
      where: { organizationId: test.tenant.organizationId, name: 'Reports' },
    });
    expect(stored.expiresAt).toEqual(new Date('2099-10-25T23:00:00Z'));
    await cdpSession.detach();
    expect(owner.errors).toEqual([]);
  });

  it('adds a webhook endpoint, tests, edits, pauses and deletes it', async () => {
    const { page } = owner;
    const url = `${receiver.url}hook?note=${encodeURIComponent('a')}&${markup.replaceAll(' ', '+')}`;
    await open('developer/webhooks');
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog().getByRole('textbox', { name: 'URL' }).fill('https://user:secret@example.com/');
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByText('Must not contain credentials').waitFor();
    await dialog().getByRole('textbox', { name: 'URL' }).fill(url);
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog()
      .getByText(/^whsec_/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Receives' });
    await row.getByText('Receives all events').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    expect(await dialog().getByRole('textbox', { name: 'URL' }).inputValue()).toBe('');
    await dialog().getByRole('button', { name: 'Cancel' }).click();

    receiver.replyWith({ status: 204 });
    await row.getByRole('button', { name: 'Send a test event' }).click();
    await row.getByText('The test event was delivered').waitFor();
    await row.getByText(/returned status 204 after [\d.]+ m?s/).waitFor();
    receiver.replyWith({ status: 418 });
    await row.getByRole('button', { name: 'Send a test event' }).click();
    await row.getByText('The test event was not delivered').waitFor();
    await row.getByText(/The response status was 418\. Next attempt/).waitFor();
    receiver.replyWith({ status: 204 });

    await row.getByRole('button', { name: /^Edit/ }).click();
    for (const type of ['message.created', 'document.ready', 'document.failed']) {
      await dialog().getByRole('checkbox', { name: type }).uncheck();
    }
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row.getByText('Receives human.requested, handoff.updated, handoff.claimed').waitFor();
    await row.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    await dialog()
      .getByText(/^whsec_/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row.getByText(/Also signed with the old secret, which expires tomorrow/).waitFor();

    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('paused').waitFor();
    expect(await row.getByRole('button', { name: 'Send a test event' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('active').waitFor();

    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const { conversationId } = await (await rest.post('/chat', { message: 'Hello?' })).json();
    await rest.post('/handoff', { conversationId });
    await row.getByRole('link', { name: 'Show deliveries' }).click();
    const delivery = page.getByRole('button', { name: /delivered human\.requested/i });
    await delivery.click();
    const log = page.getByRole('region', { name: /delivered human\.requested/i });
    await log.getByText(/Attempt 1, .*status 204, after [\d.]+ m?s/).waitFor();
    await log.getByRole('button', { name: 'Show what is sent' }).click();
    await log.getByText('"type": "human.requested"').waitFor();
    const sent = receiver.requests.length;
    await log.getByRole('button', { name: 'Send again' }).click();
    await receiver.waitForRequests(sent + 1);
    await log.getByText(/Attempt 2, .*status 204/).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No matching deliveries').waitFor();

    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(owner.errors).toEqual([]);
  });

  it('shows agents the links to the API documentation, and no management actions', async () => {
    const agent = await test.member('agent@harbour.example', 'AGENT');
    const { page } = agent;
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/developer`);
    await page.getByText('For owners and admins').waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    const docs = page.getByRole('link', { name: 'REST documentation' });
    expect(await docs.getAttribute('href')).toBe('/api/v1/docs');
    expect(await page.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
    expect((await page.request.get(`${test.service.url}/api/v1/docs`)).status()).toBe(200);
    expect(agent.errors).toEqual([]);
  });
});

function expectGrounded(answer: {
  readonly confidence: number;
  readonly citations: readonly { readonly documentName: string }[];
}): void {
  expect(answer.citations[0]?.documentName).toBe('Welcome.md');
  expect(answer.confidence).toBeGreaterThan(0.6);
}
