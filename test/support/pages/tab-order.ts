import type { Page } from 'playwright-core';

/**
 * Returns the violations of keyboard navigation: elements that Tab does not reach, and elements whose focus is not
 * visible.
 */
export async function findTabOrderViolations(page: Page): Promise<string[]> {
  await page.evaluate(markTabStops);
  const flaws = new Set<string>();
  for (let steps = 0; steps < 300; steps++) {
    await page.keyboard.press('Tab');
    await page.evaluate(endTransitions);
    const stop = await page.evaluate(inspectFocus);
    if (stop === 'seen before') break;
    if (stop !== 'outside' && stop !== 'same' && !stop.isVisible)
      flaws.add(`focus is not visible on ${stop.what}`);
  }
  for (const what of await page.evaluate(listUnreachedStops))
    flaws.add(`Tab does not reach ${what}`);
  return [...flaws];
}

/** Ends all running CSS transitions. Runs in the page. */
function endTransitions(): void {
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
}

interface TabStop {
  readonly look: string;
  isReached: boolean;
}

/** Records every element that Tab should reach, and how the element looks without focus. Runs in the page. */
function markTabStops(): void {
  const lookOf = (element: Element): string =>
    [
      element,
      element.parentElement,
      element.nextElementSibling,
      element.parentElement?.parentElement,
    ]
      .map((near) => {
        if (near == null) return '';
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, transform } =
          getComputedStyle(near);
        return [
          outlineStyle,
          outlineWidth,
          boxShadow,
          borderColor,
          backgroundColor,
          transform,
        ].join();
      })
      .join('|');
  const whatIs = (element: Element): string =>
    element.outerHTML.replace(/<svg.*?<\/svg>/gs, '').slice(0, 160);
  const stops = new Map<Element, TabStop>();
  (document.activeElement as HTMLElement | null)?.blur();
  for (const animation of document.getAnimations()) animation.finish();
  const dialog = document.querySelector('[role="dialog"]');
  for (const element of (dialog ?? document).querySelectorAll<HTMLElement>(
    'a[href], button, input, textarea, select, [tabindex]',
  )) {
    const isDisabled = element.matches(':disabled, [inert] *');
    // In a group of radio buttons, Tab reaches only the checked one.
    const isOtherRadio = element.matches('input[type="radio"]:not(:checked)');
    if (
      element.tabIndex < 0 ||
      isDisabled ||
      isOtherRadio ||
      !element.checkVisibility({ visibilityProperty: true })
    )
      continue;
    stops.set(element, { look: lookOf(element), isReached: false });
  }
  Object.assign(window, { stops, lookOf, whatIs, previous: null });
}

interface Marks {
  previous: Element | null;
  readonly stops: Map<Element, TabStop>;
  lookOf(element: Element): string;
  whatIs(element: Element): string;
}

/**
 * Returns the focused element, and whether its focus is visible. `same` means that Tab has moved between parts of one
 * element, such as the day and the month of a date. Runs in the page.
 */
function inspectFocus(): { what: string; isVisible: boolean } | 'seen before' | 'outside' | 'same' {
  const marks = window as unknown as Marks;
  const { stops, lookOf, whatIs, previous } = marks;
  const element = document.activeElement;
  marks.previous = element;
  if (element === null || element === document.body) return 'outside';
  if (element === previous) return 'same';
  const stop = stops.get(element);
  if (stop?.isReached) return 'seen before';
  if (stop !== undefined) stop.isReached = true;
  return { what: whatIs(element), isVisible: stop === undefined || lookOf(element) !== stop.look };
}

/** Returns the elements that Tab has not reached. Runs in the page. */
function listUnreachedStops(): string[] {
  const { stops, whatIs } = window as unknown as Marks;
  return [...stops].filter(([, { isReached }]) => !isReached).map(([element]) => whatIs(element));
}
