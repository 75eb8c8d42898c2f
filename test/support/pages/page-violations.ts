import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Returns all accessibility and layout violations of a page, one line each. The page is in the dark theme afterwards.
 */
export async function findPageViolations(page: Page): Promise<string[]> {
  await showColors(page, 'light');
  const flaws = [
    ...(await findAxeViolations(new AxeBuilder({ page }))),
    ...(await findOutlineViolations(page)),
    ...(await findLayoutShiftViolations(page)),
    ...(await findOverflowViolations(page)),
  ];
  await showColors(page, 'dark');
  const inDark = await findAxeViolations(new AxeBuilder({ page }).withRules('color-contrast'));
  return [...flaws, ...inDark.map((flaw) => `dark: ${flaw}`)];
}

async function showColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate(() => {
    // The animation of a loading indicator has no end.
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      if (isEndless) animation.cancel();
      else animation.finish();
    }
  });
}

/** Returns axe violations except those with impact `minor`. */
async function findAxeViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Checks headings and landmarks, because users of screen readers navigate with them. */
async function findOutlineViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws: string[] = [];
    const expectOne = (selector: string) => {
      const { length } = document.querySelectorAll(selector);
      if (length !== 1) flaws.push(`${length} of ${selector}`);
    };
    for (const selector of ['h1', 'main', 'header:not([role])', 'nav[aria-label]'])
      expectOne(selector);
    const heading = document.querySelector('h1')?.textContent ?? '';
    const title = document.title.replace(/^\(\d+\) /, '');
    if (!title.endsWith(' · grounded-chat')) flaws.push(`the title is ${title}`);
    if (heading.trim() === '') flaws.push('the heading is empty');
    if (document.documentElement.lang !== 'en') flaws.push('no language');
    for (const place of document.querySelectorAll('[tabindex]')) {
      if ((place as HTMLElement).tabIndex > 0) flaws.push(`tabindex of ${place.outerHTML}`);
    }
    return flaws;
  });
}

/** Half of 0.1, the maximum that Core Web Vitals rate as good: https://web.dev/articles/cls */
const maxLayoutShift = 0.05;

/** Records layout shifts. Must run in each page before the page's scripts. */
export function recordLayoutShifts(): void {
  const shifts: { value: number; places: string[] }[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as unknown as LayoutShift;
      if (hadRecentInput) continue;
      const places = sources.map(
        ({ node }) => (node as HTMLElement | null)?.outerHTML?.slice(0, 120) ?? '',
      );
      shifts.push({ value, places });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

async function findLayoutShiftViolations(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(
    () => (window as { shifts?: { value: number; places: string[] }[] }).shifts ?? [],
  );
  const sum = shifts.reduce((sum, { value }) => sum + value, 0);
  if (sum < maxLayoutShift) return [];
  return [
    `the layout jumps by ${sum.toFixed(3)}: ${shifts.flatMap(({ places }) => places).join('\n')}`,
  ];
}

/** Widths in CSS pixels: a phone, and a 1,280 pixel window at 200 % zoom. */
const narrowWidths = [390, 640];

async function findOverflowViolations(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const flaws: string[] = [];
  for (const width of narrowWidths) {
    await page.setViewportSize({ width, height: 800 });
    // Components that scripts measure are drawn again only in the next frame.
    const isNarrow = (limit: number) => (document.scrollingElement?.scrollWidth ?? 0) <= limit;
    const adapts = page.waitForFunction(isNarrow, width, { timeout: 2_000 });
    await adapts.catch(() => flaws.push(`wider than ${width} pixels`));
  }
  if (before !== null) await page.setViewportSize(before);
  return flaws;
}
