import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { createSignInSecret } from '../../../src/domain/sign-in/sign-in-links.ts';
import type { TestService } from '../service.ts';

const chromiumPaths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of an installed Chromium, or undefined. In CI, a missing Chromium is an error. */
export const chromiumPath = chromiumPaths.find((path) => path !== undefined && existsSync(path));
if (chromiumPath === undefined) {
  const how = 'No Chromium was found: install it, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(how);
  process.stderr.write(`${how} The dashboard's tests are skipped.\n`);
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/** Time limit for browsers. Long enough for a busy machine. */
const browserTimeoutMs = 45_000;

/** Returns `expect.poll` with a time limit that is long enough for a browser. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: browserTimeoutMs, interval: 100 });
}

export interface OpenPage {
  readonly page: Page;
  /** Errors that the page reported: script errors, Content-Security-Policy violations, failed requests. */
  readonly errors: string[];
}

/**
 * Opens a separate browser context, signs in the operator with a sign-in link and shows the inbox. The dashboard itself
 * opens the page of the role, or "Get started".
 */
export async function signIn(
  browser: Browser,
  { url, adapters }: TestService,
  email: string,
  options?: BrowserContextOptions,
): Promise<OpenPage> {
  const { page, errors } = await openWindow(browser, options);
  await page.goto(`${url}/dashboard/#sign-in=${await createSignInSecret(adapters, email)}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await showInbox(page);
  return { page, errors };
}

/** Shows the inbox of the open project, without loading the page again. Does nothing on pages without a project. */
async function showInbox(page: Page): Promise<void> {
  const project = /^(.*\/dashboard\/[\da-f-]{36})\//.exec(page.url())?.[1];
  if (project === undefined) return;
  await page.evaluate((url) => history.pushState(null, '', url), `${project}/inbox`);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
}

/** Opens a blank page in a separate browser context. */
export async function openWindow(
  browser: Browser,
  options?: BrowserContextOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  context.setDefaultTimeout(browserTimeoutMs);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}

/** Returns axe violations with serious or critical impact, formatted as `rule: selector`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
