import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { xmlElements, xmlText } from '../../../platform/web/xml-elements.ts';

export const sitemapBytes = 10 * 1024 * 1024;
/** The protocol's limit: https://www.sitemaps.org/protocol.html */
const maxUrls = 50_000;
const limits = { maxElements: maxUrls, maxLength: 4_096 };
const unpack = promisify(gunzip);

export interface Sitemap {
  /** Whether the addresses are those of other sitemaps. */
  readonly isIndex: boolean;
  readonly urls: readonly string[];
}

/** A text that is no sitemap, or a part of one. */
export class SitemapError extends Error {}

/** Reads a sitemap or an index of sitemaps, also one compressed with gzip, or a text with one address per line. @throws SitemapError */
export async function readSitemap(body: Buffer): Promise<Sitemap> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const bytes = isGzip ? await unpack(body, { maxOutputLength: sitemapBytes * 5 }) : body;
  const text = bytes.toString('utf8');
  if (!text.includes('<')) {
    const lines = text.split(/\s+/).filter(Boolean).slice(0, maxUrls);
    if (lines.some((line) => !/^https?:/i.test(line))) throw new SitemapError('It is no sitemap');
    return { isIndex: false, urls: lines };
  }
  const [tag, root = ''] = /<((?:[\w-]{1,40}:)?(?:sitemapindex|urlset))\b[^>]*>/.exec(text) ?? [];
  if (tag === undefined) throw new SitemapError('It is no sitemap');
  if (!tag.endsWith('/>') && !text.includes(`</${root}`)) throw new SitemapError('It is cut off');
  return {
    isIndex: root.endsWith('sitemapindex'),
    urls: xmlElements(text, 'loc', limits).map(xmlText),
  };
}
