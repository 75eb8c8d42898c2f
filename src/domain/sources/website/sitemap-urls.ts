import type { Sitemap } from '../../../extract/html/sitemap.ts';
import type { WebResult } from '../../../platform/web/web-client.ts';
import { createWorkTurns } from '../../../platform/work-turns.ts';
import type { Context } from '../../context.ts';
import type { PacedGet } from './paced-get.ts';
import { readSitemap } from './website-documents.ts';
import { normalizeUrl } from './website-urls.ts';

const sitemapBytes = 10 * 1024 * 1024;
const maxSitemaps = 50;
const maxSitemapRedirects = 5;

export interface SitemapListing {
  readonly urls: readonly string[];
  /** The first sitemap that was not read completely, and the reason. Null if all were read completely. */
  readonly problem: string | null;
}

/**
 * Returns the addresses in the sitemaps, at most `limit`. Also reads the sitemaps that an index names, if they are on
 * `hosts`.
 */
export async function listSitemapUrls(
  context: Context,
  tenant: string,
  get: PacedGet,
  sitemaps: readonly string[],
  hosts: ReadonlySet<string>,
  limit: number,
): Promise<SitemapListing> {
  const waiting = [...sitemaps];
  const seen = new Set<string>();
  const urls = new Set<string>();
  let problem: string | null = null;
  for (const sitemap of waiting) {
    if (seen.has(sitemap) || urls.size >= limit) continue;
    if (seen.size >= maxSitemaps) {
      problem ??= `The website has more than ${maxSitemaps} sitemaps`;
      break;
    }
    seen.add(sitemap);
    const read = await fetchSitemap(context, tenant, get, sitemap);
    if (read.type === 'refused') {
      problem ??= `The sitemap ${sitemap} could not be read: ${read.reason}`;
      continue;
    }
    const turns = createWorkTurns(context.signal);
    for (const href of read.sitemap.urls) {
      if (turns.isOver()) await turns.next();
      const url = normalizeUrl(href, read.url);
      if (url === null || urls.size >= limit) continue;
      if (!read.sitemap.isIndex) urls.add(url);
      else if (hosts.has(new URL(url).host)) waiting.push(url);
    }
  }
  return { urls: [...urls], problem };
}

type FetchedSitemap =
  /** `url` is the final address, after redirects. */
  | { readonly type: 'sitemap'; readonly url: string; readonly sitemap: Sitemap }
  | { readonly type: 'refused'; readonly reason: string };

async function fetchSitemap(
  context: Context,
  tenant: string,
  get: PacedGet,
  address: string,
): Promise<FetchedSitemap> {
  let url = address;
  for (let hops = 0; hops <= maxSitemapRedirects; hops += 1) {
    const result: WebResult = await get(url, { maxBytes: sitemapBytes });
    if (result.type === 'failure') return { type: 'refused', reason: result.reason };
    const { status, headers } = result;
    if (status === 200) {
      const read = await readSitemap(context, tenant, result.body);
      return read.type === 'sitemap' ? { ...read, url } : read;
    }
    const target = status >= 300 && status < 400 ? normalizeUrl(headers.location ?? '', url) : null;
    if (target === null) return { type: 'refused', reason: `The server answered ${status}` };
    url = target;
  }
  return { type: 'refused', reason: 'It redirects too often' };
}
