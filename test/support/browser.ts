import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { createSignInLink } from '../../src/domain/sign-in/operator-sessions.ts';
import type { TestService } from './service.ts';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is installed, or undefined. CI must have one. */
export const chromiumPath = places.find((path) => path !== undefined && existsSync(path));
if (chromiumPath === undefined) {
  const how = 'No Chromium was found: install it, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(how);
  process.stderr.write(`${how} The dashboard's tests are skipped.\n`);
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/** Of browsers on a machine that has much else to do. */
const patienceMs = 45_000;

/** As `expect.poll`, with the patience that a browser needs. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: patienceMs, interval: 100 });
}

export interface OpenPage {
  readonly page: Page;
  /** What the page complained about: errors of scripts, refusals of the Content-Security-Policy, failed requests. */
  readonly complaints: string[];
}

/** A window of its own, in which the operator is signed in by a link. */
export async function signIn(
  browser: Browser,
  { url, adapters }: TestService,
  email: string,
): Promise<OpenPage> {
  const { page, complaints } = await openWindow(browser);
  await page.goto(`${url}/dashboard/#sign-in=${await createSignInLink(adapters, email)}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, complaints };
}

/** A window of its own, with nothing in it yet. */
export async function openWindow(browser: Browser): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  context.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

/** What axe holds for serious or critical on the page, as `rule: place`. */
export async function seriousFlaws(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
