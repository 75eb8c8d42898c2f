import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

const reference = '/api/v1/docs';

describe.skipIf(chromiumPath === undefined)('the guides and the API reference', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  async function open(path: string, colorScheme: 'light' | 'dark' = 'light', width = 1280) {
    const context = await test.browser.newContext({
      colorScheme,
      viewport: { width, height: 844 },
    });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(test.service.url + path);
    return { page, errors };
  }

  it.each(['light', 'dark'] as const)('have no accessibility violations: %s', async (scheme) => {
    for (const path of [
      '/docs',
      '/docs/guides/widget',
      `${reference}/chat`,
      '/docs/search?q=key',
    ]) {
      for (const width of [1280, 390]) {
        const { page, errors } = await open(path, scheme, width);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        );
        expect(overflow, `${path} at ${width}`).toBe(0);
        expect(errors).toEqual([]);
        await page.context().close();
      }
    }
  });

  it('show samples in the language that the reader has chosen, also on the next page', async () => {
    const { page } = await open(`${reference}/chat`);
    await page.getByRole('button', { name: 'Python' }).first().click();
    await page.getByText('import urllib.request').first().waitFor();
    expect(await page.getByText('curl "$GROUNDED_CHAT_URL').first().isVisible()).toBe(false);
    await page.goto(`${test.service.url}${reference}/usage`);
    await page.getByText('import urllib.request').first().waitFor();
  });

  it('send a request with the key of the reader, and show the answer or its stream', async () => {
    const { page, errors } = await open(`${reference}/chat`);
    await page.locator('#sendMessage ~ .split .try summary').click();
    const form = page.getByRole('form', { name: 'Try it: Send a message' });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Enter an API key').waitFor();

    await page.getByLabel('API key').fill(await test.tenant.key());
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('"conversationId"').waitFor();
    await form.getByText(/^200 OK, \d+ ms$/).waitFor();

    await form.getByLabel('Body').fill('{"message": "Hello", "stream": true}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('data: {"type":"done"').waitFor();
    expect(errors).toEqual([]);

    await page.goto(`${test.service.url}${reference}/knowledge`);
    await page.locator('#getDocument ~ .split .try summary').click();
    const other = page.getByRole('form', { name: 'Try it: Get a document' });
    await other.getByLabel('documentId').fill('a/b');
    await other.getByRole('button', { name: 'Send' }).click();
    await other.getByText('404 Not Found').waitFor(); // the key was kept, and the slash was encoded
    await eventually(() => other.locator('pre').textContent()).toContain('"NOT_FOUND"');
  });

  it('create a key for one hour for an owner who is signed in', async () => {
    const { page } = await open(`${reference}/chat`);
    const create = page.getByRole('button', { name: 'Create a key for one hour' });
    await create.click();
    await page.getByText('Sign in to the dashboard first.').waitFor();

    const owner = await test.member('reference@example.com', 'OWNER');
    const other = await createProject(test.service.system, {
      organizationId: test.tenant.organizationId,
      name: 'Second shop',
    });
    await owner.page.goto(`${test.service.url}${reference}/chat`);
    await owner.page.getByRole('button', { name: 'Create a key for one hour' }).click();
    await owner.page.getByRole('button', { name: 'Second shop' }).click();
    await owner.page.getByText('The key of Second shop is entered above.').waitFor();
    await owner.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await owner.page.getByRole('button', { name: 'Copy the variables of the samples' }).click();
    const copied = await owner.page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n')).toEqual([
      `export GROUNDED_CHAT_URL=${test.service.url}`,
      expect.stringMatching(/^export GROUNDED_CHAT_KEY=sk_\w+$/),
    ]);
    await owner.page.locator('#sendMessage ~ .split .try summary').click();
    const form = owner.page.getByRole('form', { name: 'Try it: Send a message' });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('"conversationId"').waitFor();
    const [key, ...more] = await test.service.system.db.apiKey.findMany({
      where: { projectId: other.id },
    });
    expect(more).toEqual([]);
    const lifetime = Number(key?.expiresAt) - Number(key?.createdAt);
    expect(lifetime).toBeGreaterThan(3_500_000);
    expect(lifetime).toBeLessThanOrEqual(3_600_000);

    const viewer = await test.member('viewer@example.com', 'VIEWER');
    await viewer.page.goto(`${test.service.url}${reference}/chat`);
    await viewer.page.getByRole('button', { name: 'Create a key for one hour' }).click();
    await viewer.page.getByText('Only owners and admins create keys.').waitFor();
  });

  it('upload a file', async () => {
    const { page } = await open(`${reference}/knowledge`);
    await page.getByLabel('API key').fill(await test.tenant.key());
    await page.locator('#uploadDocument ~ .split .try summary').click();
    const form = page.getByRole('form', { name: 'Try it: Upload' });
    const file = { name: 'hours.txt', mimeType: 'text/plain', buffer: Buffer.from('Open at 9.') };
    await form.getByLabel('File').setInputFiles(file);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('"hours.txt"').waitFor();
  });

  it('find a section by words, with the keyboard', async () => {
    const { page } = await open('/docs');
    await page.getByRole('searchbox').fill('verify signature');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  });

  it('browsers get a page for an unknown address, and programs get JSON', async () => {
    for (const path of ['/nope', '/docs/nope', `${reference}/nope`]) {
      const url = test.service.url + path;
      const page = await fetch(url, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      expect(page.status).toBe(404);
      expect(await page.text()).toContain('<h1>Page not found</h1>');
      const json = await fetch(url);
      expect(json.status).toBe(404);
      expect(await json.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
    const post = await fetch(`${test.service.url}/nope`, {
      method: 'POST',
      headers: { Accept: 'text/html' },
    });
    expect(await post.json()).toMatchObject({ statusCode: 404 });
  });
});
