import { withoutMenus } from './html-menus.ts';
import { findHtmlElements, type HtmlElement } from './html-tree.ts';
import { frameNames } from './html-visibility.ts';
import { visibleText } from './html-visible-text.ts';

/**
 * Minimum share of the page's text that the marked content must have. A smaller share probably means that the page marks
 * something else.
 */
const minShare = 0.3;

const frameRoles = new Set(['banner', 'contentinfo', 'complementary']);

/**
 * Returns the part of a page that is its content. This is the element that the page marks as `main` or its only
 * article. Otherwise it is the page without header, footer, asides and menus. No part is chosen by its length: price
 * tables, cards and boxes are short.
 */
export function findMainContent(root: HtmlElement): HtmlElement {
  return findMarkedContent(root) ?? withoutMenus(withoutFrame(root));
}

/**
 * Returns the element that the page marks as its content. Returns null if there is none, or if it contains only a small
 * part of the text.
 */
export function findMarkedContent(root: HtmlElement): HtmlElement | null {
  const marked = findMarked(root);
  if (marked === null) return null;
  const length = visibleText(withoutFrame(root)).length;
  return visibleText(marked).length < length * minShare ? null : withoutFrame(marked, 'header');
}

function findMarked(root: HtmlElement): HtmlElement | null {
  const isMain = ({ name, attributes }: HtmlElement) =>
    name === 'main' || attributes.role === 'main';
  for (const matches of [isMain, ({ name }: HtmlElement) => name === 'article']) {
    const [first, second] = findHtmlElements(root, matches, 2);
    if (first !== undefined && second === undefined) return first;
  }
  return null;
}

/**
 * Returns a copy without header, footer and asides. Elements with the name `keep` stay: an article has its title in its
 * header.
 */
function withoutFrame(element: HtmlElement, keep = ''): HtmlElement {
  const isFrame = ({ name, attributes }: HtmlElement) =>
    name !== keep && (frameNames.has(name) || frameRoles.has(attributes.role ?? ''));
  const copy = ({ name, attributes, children }: HtmlElement): HtmlElement => ({
    name,
    attributes,
    children: children
      .filter((child) => typeof child === 'string' || !isFrame(child))
      .map((child) => (typeof child === 'string' ? child : copy(child))),
  });
  return copy(element);
}
