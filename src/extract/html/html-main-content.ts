import { Readability } from '@mozilla/readability';
import JSDOMParser from '@mozilla/readability/JSDOMParser.js';
import { findHtmlElements, type HtmlElement, parseHtml } from './html-tree.ts';
import { frameNames } from './html-visibility.ts';
import { visibleText } from './html-visible-text.ts';
import { serializeHtml } from './serialize-html.ts';

/**
 * Maximum number of elements for Readability, which takes quadratic time on some pages: about 3 s for this many
 * elements in nested tables. A larger page is read completely, except for header, footer and asides.
 */
const maxReadabilityElements = 10_000;
/**
 * Minimum share of the page's text that the content must have. A smaller share probably means that content was missed.
 */
const minShare = 0.3;

const frameRoles = new Set(['banner', 'contentinfo', 'complementary']);

/**
 * Returns the part of a page that is its content. This is the element that the page marks as `main` or its only
 * article. Otherwise it is the part that Mozilla's Readability finds. Otherwise it is the page without header, footer
 * and asides.
 */
export function findMainContent(root: HtmlElement): HtmlElement {
  const body = withoutFrame(root);
  const length = visibleText(body).length;
  const isMost = (element: HtmlElement) => visibleText(element).length >= length * minShare;
  const marked = findMarkedContent(root, length);
  if (marked !== null) return marked;
  const found = runReadability(body);
  return found !== null && isMost(found) ? found : body;
}

/**
 * Returns what the page marks as its content, or null if it marks nothing or only a small part.
 * @param length number of characters of the page without its frame
 */
export function findMarkedContent(
  root: HtmlElement,
  length = visibleText(withoutFrame(root)).length,
): HtmlElement | null {
  const marked = findMarked(root);
  if (marked === null || visibleText(marked).length < length * minShare) return null;
  return withoutFrame(marked, 'header');
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

function runReadability(body: HtmlElement): HtmlElement | null {
  const html = serializeHtml({ ...body, name: 'body' });
  try {
    const document = new JSDOMParser().parse(`<html><head></head>${html}</html>`);
    const options = { maxElemsToParse: maxReadabilityElements };
    const content = new Readability(document, options).parse();
    return typeof content?.content === 'string' ? parseHtml(content.content) : null;
  } catch {
    // Readability refuses some pages, such as those with too many elements.
    return null;
  }
}
