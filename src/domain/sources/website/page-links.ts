import type { HtmlPage } from '../../../extract/html/html-page.ts';
import { createWorkTurns } from '../../../platform/work-turns.ts';
import { maxHosts } from './other-hosts.ts';
import { isSameSite } from './same-site.ts';
import { normalizeUrl, type SiteAddresses } from './website-urls.ts';

/**
 * Maximum number of links of a page that are stored and followed, and maximum number of characters in their addresses.
 */
const maxStoredLinks = 2_000;
const maxStoredLength = 64_000;

export interface PageLinks {
  readonly links: readonly string[];
  /** Other hosts of the same website to which the page links. */
  readonly hosts: readonly string[];
}

/**
 * Returns the links of the page that belong to the source, up to the maximum number, and other hosts of the same site.
 * For a start page without links of the source: the hosts to which several of its links lead.
 */
export async function readPageLinks(
  url: string,
  page: HtmlPage,
  site: SiteAddresses,
  signal: AbortSignal,
): Promise<PageLinks & { readonly isTruncated: boolean }> {
  const { startUrls, startHosts, isInScope } = site;
  const base = baseOf(url, page);
  const turns = createWorkTurns(signal);
  const links = new Set<string>();
  const hosts = new Set<string>();
  const foreign = new Map<string, Set<string>>();
  let length = 0;
  let isTruncated = false;
  for (const href of [canonicalUrlOf(url, page, site), ...page.links]) {
    if (turns.isOver()) await turns.next();
    const link = href === null ? null : normalizeUrl(href, base);
    if (link === null || links.has(link)) continue;
    if (!isInScope(link)) {
      const { host } = new URL(link);
      if (startHosts.has(host)) continue;
      if (hosts.size < maxHosts && isSameSite(host, startHosts)) hosts.add(host);
      foreign.set(host, (foreign.get(host) ?? new Set()).add(link));
      continue;
    }
    length += link.length;
    isTruncated = links.size >= maxStoredLinks || length > maxStoredLength;
    if (isTruncated) break;
    links.add(link);
  }
  const leadsNowhere = startUrls.has(url) && [...links].every((link) => link === url);
  if (leadsNowhere && hosts.size === 0) {
    for (const [host, addresses] of foreign) if (addresses.size > 1) hosts.add(host);
  }
  return { links: [...links], hosts: [...hosts].slice(0, maxHosts), isTruncated };
}

/** Returns the address that the page names as its original. Returns null if it is the page itself or out of scope. */
export function canonicalUrlOf(
  url: string,
  page: HtmlPage,
  { isInScope }: SiteAddresses,
): string | null {
  const canonical = page.canonicalUrl && normalizeUrl(page.canonicalUrl, baseOf(url, page));
  return canonical && canonical !== url && isInScope(canonical) ? canonical : null;
}

/** Returns the address to which the page forwards its readers, or null if it does not forward them to another page. */
export function refreshUrlOf(url: string, page: HtmlPage): string | null {
  const target = page.refreshUrl && normalizeUrl(page.refreshUrl, baseOf(url, page));
  return target === url ? null : target;
}

function baseOf(url: string, { baseUrl }: HtmlPage): string {
  return (baseUrl && normalizeUrl(baseUrl, url)) ?? url;
}
