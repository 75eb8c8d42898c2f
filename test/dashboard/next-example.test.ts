import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, openWindow, startBrowser } from '../support/pages/browser.ts';
import { installPackages } from '../support/programs/packed-packages.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** The folder into which `test/support/next-tools.sh` installs Next.js. */
const tools = process.env.NEXT_TOOLS || undefined;

describe.skipIf(tools === undefined || chromiumPath === undefined)(
  'the Next.js example, with the packages as they are published (needs NEXT_TOOLS)',
  { timeout: 240_000 },
  () => {
    let service: TestService;
    let tenantId: string;
    let packed: string;
    let site: string;
    let next: ChildProcess;
    let url: string;
    let browser: Browser;

    beforeAll(async () => {
      service = await startTestService();
      const tenant = await service.createTenant();
      tenantId = tenant.projectId;
      await addDocuments(service, tenantId, { Tower: 'The lighthouse opens at nine.' });
      const KEY = await tenant.key({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });

      packed = await mkdtemp(join(tmpdir(), 'grounded-chat-packed-'));
      // The example is in a subfolder of the Next.js folder, so that it finds the package.
      site = await mkdtemp(join(tools ?? '', 'example-'));
      await cp('examples/next', site, { recursive: true });
      await rm(join(site, 'node_modules'), { recursive: true, force: true });
      // Without this setting, Next.js would use the example as the root, and look for packages only in it.
      const config = { turbopack: { root: tools } };
      await writeFile(join(site, 'next.config.mjs'), `export default ${JSON.stringify(config)};`);
      await installPackages(packed, site);
      next = startNext(site, { API: service.url, KEY });
      url = await readAddress(next);
      browser = await startBrowser();
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      if (next?.exitCode === null) {
        const exited = once(next, 'exit');
        next.kill();
        await exited;
      }
      await service?.stop();
      await rm(packed, { recursive: true, force: true });
      await rm(site, { recursive: true, force: true });
    });

    it('answers on its page, with sources, and keeps the key on the server', async () => {
      const { page, errors } = await openWindow(browser);
      page.setDefaultTimeout(120_000);
      // The example has no icon, and the browser would report this as an error.
      await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
      await page.goto(url, { timeout: 120_000, waitUntil: 'networkidle' });
      await page.getByRole('heading', { name: 'Support' }).waitFor();
      const input = page.getByRole('textbox', { name: 'Your message' });
      await input.fill('When does the lighthouse open?');
      await input.press('Enter');
      await page.locator('li[data-role=ASSISTANT][data-status=COMPLETED]').waitFor();
      const answer = page.locator('li[data-role=ASSISTANT]');
      expect(await answer.locator('p').first().textContent()).toContain('nine');
      expect(await answer.locator('details').textContent()).toContain('Tower');
      const where = { projectId: tenantId, endUserId: 'guest' };
      expect(await service.system.db.conversation.count({ where })).toBe(1);
      expect(await page.content()).not.toContain('sk_');
      expect(errors).toEqual([]);
    });
  },
);

/** Starts the example as its README describes. Next.js chooses a free port. */
function startNext(cwd: string, settings: Readonly<Record<string, string>>): ChildProcess {
  const program = join(tools ?? '', 'node_modules/next/dist/bin/next');
  return spawn(process.execPath, [program, 'dev', '--hostname', '127.0.0.1', '--port', '0'], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { PATH: process.env.PATH, HOME: cwd, NEXT_TELEMETRY_DISABLED: '1', ...settings },
  });
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: stdout })) {
    const [, address] = /Local: +(http:\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    stdout.resume();
    return address;
  }
  throw new Error('Next.js did not start');
}
