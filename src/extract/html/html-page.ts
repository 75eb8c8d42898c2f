import { decodeHtml } from '../encoding/decode-html.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError } from '../extracted-text.ts';
import { readHtmlBlocks } from './html-blocks.ts';
import { findMainContent } from './html-main-content.ts';
import { htmlBlocksToMarkdown } from './html-markdown.ts';
import { withoutNamedFrame } from './html-page-frame.ts';
import { openPanels } from './html-panels.ts';
import { findHtmlElements, type HtmlElement, parseHtml } from './html-tree.ts';
import { visibleText } from './html-visible-text.ts';

/** Properties of a web page for the crawler. Addresses are unchanged: they may be relative or hostile. */
export interface HtmlPage {
  readonly title: string;
  /** The main content as Markdown. Empty if the page has none. */
  readonly markdown: string;
  /** Addresses of links without `nofollow`, without duplicates. */
  readonly links: readonly string[];
  readonly baseUrl: string | null;
  readonly canonicalUrl: string | null;
  readonly isNoIndex: boolean;
  /** Address to which the page redirects within ten seconds (`<meta http-equiv="refresh">`), or null. */
  readonly refreshUrl: string | null;
}

const maxLinks = 5_000;
/** Maximum total length of the addresses of a page, in UTF-16 units. */
const maxLinksLength = 256_000;
const maxUrlLength = 2_048;
const maxTitleLength = 200;

/**
 * Reads a page of a website.
 * @throws ExtractError CORRUPT_FILE when the page is binary, TOO_LARGE when it exceeds a limit.
 */
export async function readHtmlPage(
  bytes: Uint8Array,
  limits: ExtractLimits,
  charset?: string,
): Promise<HtmlPage> {
  const root = parseHtml(await decodeHtml(bytes, charset));
  openPanels(root);
  const robots = robotsDirectives(root);
  const isNoFollow = robots.has('nofollow') || robots.has('none');
  const blocks = readHtmlBlocks(findMainContent(withoutNamedFrame(root)));
  const markdown = htmlBlocksToMarkdown(blocks);
  if (markdown.length > limits.textCharacters) {
    throw new ExtractError('TOO_LARGE', 'The text of the page is too long.');
  }
  const heading = blocks.find((block) => block.kind === 'heading');
  const [title] = findHtmlElements(root, ({ name }) => name === 'title', 1);
  const name = (title && visibleText(title)) || (heading?.kind === 'heading' && heading.text) || '';
  return {
    title: Array.from(name).slice(0, maxTitleLength).join(''),
    markdown,
    links: isNoFollow ? [] : linksOf(root),
    baseUrl: firstHref(root, ({ name }) => name === 'base'),
    canonicalUrl: firstHref(
      root,
      ({ name, attributes }) => name === 'link' && tokens(attributes.rel).includes('canonical'),
    ),
    isNoIndex: robots.has('noindex') || robots.has('none'),
    refreshUrl: refreshUrlOf(root),
  };
}

function robotsDirectives(root: HtmlElement): Set<string> {
  const isRobots = ({ name, attributes }: HtmlElement) =>
    name === 'meta' && /^(?:robots|groundedchatbot)$/i.test(attributes.name?.trim() ?? '');
  const metas = findHtmlElements(root, isRobots, 20);
  return new Set(metas.flatMap(({ attributes }) => tokens(attributes.content)));
}

const maxRefreshSeconds = 10;

/**
 * Returns the address to which the page redirects, or null. Ignores a redirect in `noscript`: it is for browsers
 * without scripts and may lead to another page.
 */
function refreshUrlOf(root: HtmlElement): string | null {
  const isRefresh = ({ name, attributes }: HtmlElement) =>
    name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh';
  const hidden = findHtmlElements(root, ({ name }) => name === 'noscript').flatMap((element) =>
    findHtmlElements(element, isRefresh),
  );
  const [meta] = findHtmlElements(
    root,
    (element) => isRefresh(element) && !hidden.includes(element),
    1,
  );
  const content = meta?.attributes.content?.slice(0, maxUrlLength) ?? '';
  const [, seconds, quote = '', rest = ''] =
    /^\s*(\d{1,5})(?:\.\d{0,5})?\s*[;,]\s*url\s*=\s*(["']?)(.+)$/is.exec(content) ?? [];
  if (seconds === undefined || Number(seconds) > maxRefreshSeconds) return null;
  const url = (quote === '' ? rest : (rest.split(quote)[0] ?? '')).trim();
  return url === '' ? null : url;
}

function tokens(value: string | undefined): string[] {
  return (value ?? '')
    .slice(0, 1_000)
    .toLowerCase()
    .split(/[\s,]+/);
}

function linksOf(root: HtmlElement): string[] {
  const isLink = ({ name, attributes }: HtmlElement) =>
    (name === 'a' || name === 'area') &&
    isAddress(attributes.href) &&
    !tokens(attributes.rel).includes('nofollow');
  const links = findHtmlElements(root, isLink, maxLinks);
  const hrefs = new Set(links.map(({ attributes }) => attributes.href?.trim() ?? ''));
  return firstCharacters([...hrefs], maxLinksLength);
}

function firstHref(root: HtmlElement, matches: (element: HtmlElement) => boolean): string | null {
  const [first] = findHtmlElements(
    root,
    (element) => matches(element) && isAddress(element.attributes.href),
    1,
  );
  return first?.attributes.href?.trim() ?? null;
}

function isAddress(href: string | undefined): boolean {
  return href !== undefined && href.length <= maxUrlLength && !/^\s*(?:#|javascript:)/i.test(href);
}

/** Returns the first texts, as long as their total length is at most `maxLength`. */
function firstCharacters(texts: readonly string[], maxLength: number): string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= maxLength;
  });
}
