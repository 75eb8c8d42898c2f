import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createSignInLink } from '../../src/domain/sign-in/operator-sessions.ts';
import type { TestService } from './service.ts';

const wanted = process.env.CHROMIUM_PATH;
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is installed, or undefined. CI must have one, and so must whoever names one. */
export const chromiumPath = wanted || places.find((path) => existsSync(path));
if (wanted ? !existsSync(wanted) : process.env.CI && chromiumPath === undefined) {
  throw new Error('No Chromium was found: run test/support/chromium-up.sh, or set CHROMIUM_PATH.');
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.DD_TIMEOUT ?? 15_000));
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${url}/dashboard/#sign-in=${await createSignInLink(adapters, email)}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, complaints };
}

/** What axe holds for serious or critical on the page, as `rule: place`. */
export async function seriousFlaws(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
