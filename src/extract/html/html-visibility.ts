import type { HtmlElement } from './html-tree.ts';

const omittedNames = new Set(
  (
    'script style template noscript title svg math canvas iframe frame frameset object embed applet audio video map ' +
    'nav button select input textarea datalist dialog menu'
  ).split(' '),
);
export const struckNames: ReadonlySet<string> = new Set(['s', 'strike', 'del']);
const omittedRoles = new Set([
  ...['navigation', 'search', 'menu', 'menubar', 'toolbar', 'dialog', 'contentinfo'],
]);

/** Elements that surround the content of a page and are not part of it. */
export const frameNames: ReadonlySet<string> = new Set(['header', 'footer', 'aside']);

/**
 * Whether the element is left out, because readers of the page do not see it or because it is navigation, a control, or
 * struck through.
 */
export function isOmitted(element: HtmlElement): boolean {
  const { name, attributes } = element;
  if (omittedNames.has(name) || omittedRoles.has(attributes.role ?? '')) return true;
  return isHidden(element) || isStruck(element);
}

/** Whether the text is struck through, which means that it no longer applies. */
function isStruck({ name, attributes }: HtmlElement): boolean {
  if (struckNames.has(name)) return true;
  return /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i.test(
    attributes.style ?? '',
  );
}

/** Whether the attributes of the element hide it from readers. */
export function isHidden({ attributes }: HtmlElement): boolean {
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return true;
  return attributes['aria-hidden'] === 'true' || isHiddenByStyle(attributes.style ?? '');
}

function isHiddenByStyle(style: string): boolean {
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
