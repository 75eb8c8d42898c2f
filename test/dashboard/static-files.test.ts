import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { pagePaths, showPage } from '../support/pages/dashboard-views.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe('the files of the dashboard', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ isWorker: false });
  });
  afterAll(() => service?.stop());

  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}/dashboard${path}`, { redirect: 'manual', ...init });
  const nonceOf = (policy: string | null) => /'nonce-([\w+/]+)'/.exec(policy ?? '')?.[1];
  const scriptPath = async () =>
    /src="\/dashboard(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())?.[1] ?? '';

  it('serve the page at every path, under a policy that allows only our own scripts and styles', async () => {
    for (const path of ['', '/', '/index.html', '/01a1fec5-04cd-725a-a294-f9fa11570029/inbox']) {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy.replace(/nonce-[\w+/]{24}/, 'nonce-…')).toBe(
        [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self' 'nonce-…'",
          "img-src 'self' data:",
          "font-src 'self'",
          "connect-src 'self'",
          "frame-src 'self'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          'trusted-types default',
        ].join('; '),
      );
    }
  });

  it('contain a nonce that is different in each response and equal in page and policy', async () => {
    const nonces = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const response = await get('/');
      const nonce = nonceOf(response.headers.get('Content-Security-Policy')) ?? '';
      expect(await response.text()).toContain(`<meta name="style-nonce" content="${nonce}" />`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('are compressed if the client accepts it, and cached permanently', async () => {
    const path = await scriptPath();
    const plain = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
    const compressed = await get(path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(compressed.headers.get('Content-Encoding')).toBe('gzip');
    for (const { status, headers } of [plain, compressed]) {
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toMatch(/^text\/javascript/);
      expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('Vary')).toBe('Accept-Encoding');
    }
    expect(await compressed.text()).toBe(await plain.text());
    const browser = await get(path, { headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' } });
    expect(browser.headers.get('Content-Encoding')).toBe('br');
    const size = ({ headers }: Response) => Number(headers.get('Content-Length'));
    expect(size(browser)).toBeLessThan(size(compressed));
    const refusing = await get(path, { headers: { 'Accept-Encoding': 'br;q=0, gzip;q=0' } });
    expect(refusing.headers.get('Content-Encoding')).toBeNull();
  });

  it('answer HEAD with the same headers', async () => {
    for (const path of ['/', await scriptPath()]) {
      const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)];
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      for (const name of ['Content-Type', 'Cache-Control', 'Content-Length'])
        expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  });

  it('return 404 instead of the page for a missing file', async () => {
    for (const path of [
      '/assets/inbox-page-of-yesterday.js',
      '/assets',
      '/assets/',
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fmain.ts',
      '/assets/index.js.gz',
      '/assets/%00',
      '/assets/%',
    ]) {
      const response = await get(path);
      expect([404, 400]).toContain(response.status);
      expect(await response.json()).toMatchObject({ statusCode: response.status });
    }
  });

  it('ignore range requests', async () => {
    const path = await scriptPath();
    const asked: Record<string, string>[] = [
      { Range: 'bytes=999999999-' },
      { 'If-Match': '"another"' },
      { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ];
    for (const headers of asked) {
      expect((await get(path, { headers })).status).toBe(200);
    }
  });

  it('reject POST', async () => {
    for (const path of ['/', await scriptPath()]) {
      expect((await get(path, { method: 'POST' })).status).toBe(404);
    }
  });
});

/** Maximum size in bytes of all compressed scripts that a page loads. */
const budgetBytes = 220_000;

/** Maximum number of scripts that a page loads. */
const maxScripts = 24;

describe.skipIf(chromiumPath === undefined)('opening a page of the dashboard', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest({ isGraphiqlOn: true });
  });
  afterAll(() => test?.stop());

  it('loads little script, and nothing from other origins', async () => {
    const { page, errors: complaints } = await test.member('owner@harbour.example', 'OWNER');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    const hosts = new Set<string>();
    let bytes = 0;
    let scripts = 0;
    network.on('Network.responseReceived', ({ type, response }) => {
      hosts.add(new URL(response.url).host);
      if (type !== 'Script') return;
      bytes += Number(response.headers['Content-Length']);
      scripts += 1;
    });
    const sizes: Record<string, number> = {};
    const counts: Record<string, number> = {};
    for (const path of pagePaths) {
      bytes = 0;
      scripts = 0;
      await showPage(page, `${test.service.url}/dashboard/${test.tenant.projectId}/${path}`);
      sizes[path] = bytes;
      counts[path] = scripts;
    }
    expect(Object.values(sizes).every((size) => size > 50_000)).toBe(true);
    expect(Object.entries(sizes).filter(([, size]) => size > budgetBytes)).toEqual([]);
    expect(Object.entries(counts).filter(([, count]) => count > maxScripts)).toEqual([]);
    expect([...hosts]).toEqual([new URL(test.service.url).host]);
    expect(complaints).toEqual([]);
  });

  it('reloads itself if a script was deleted, and explains it if that does not help', async () => {
    const { page } = await test.member('agent@harbour.example', 'AGENT');
    await showPage(page, `${test.service.url}/dashboard/${test.tenant.projectId}/inbox`);
    let requests = 0;
    await page.route(/assets\/unanswered-page/, (route) => {
      requests += 1;
      return route.fulfill({ status: 404 });
    });
    await page.getByRole('link', { name: 'Unanswered' }).click();
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor();
    await expect.poll(() => requests).toBe(2);

    await page.unroute(/assets\/unanswered-page/);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { level: 1, name: /unanswered/i }).waitFor();
  });

  it('stays open if a script cannot be loaded, until the service responds again', async () => {
    const { page } = await test.member('ada@harbour.example', 'AGENT');
    await showPage(page, `${test.service.url}/dashboard/${test.tenant.projectId}/inbox`);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  it('links to the API reference and GraphiQL, which have policies of their own', async () => {
    const { page, errors: complaints } = await test.member('admin@harbour.example', 'ADMIN');
    await showPage(page, `${test.service.url}/dashboard/${test.tenant.projectId}/developer`);
    const links = page.getByRole('main').getByRole('link');
    const paths = await links.evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')),
    );
    expect(paths).toEqual(expect.arrayContaining(['/api/v1/docs', '/graphql']));
    await page.goto(`${test.service.url}/api/v1/docs`);
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    expect(complaints).toEqual([]);
    // GraphiQL uses the session of the dashboard.
    await page.goto(`${test.service.url}/graphql?query=${encodeURIComponent('{ me { email } }')}`);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByText('"email": "admin@harbour.example"').waitFor();
    await page.getByRole('button', { name: /Documentation Explorer/ }).click();
    await page.getByText('A GraphQL schema provides a root type').waitFor();
    expect(complaints).toEqual([]);
  });
});
