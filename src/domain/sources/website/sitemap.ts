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

/** Reads a sitemap or an index of sitemaps, also one compressed with gzip, or a text with one address per line. */
export async function readSitemap(body: Buffer): Promise<Sitemap> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const bytes = isGzip ? await unpack(body, { maxOutputLength: sitemapBytes * 5 }) : body;
  const text = bytes.toString('utf8');
  if (!text.includes('<')) {
    return { isIndex: false, urls: text.split(/\s+/).filter(Boolean).slice(0, maxUrls) };
  }
  return {
    isIndex: /<sitemapindex[\s>]/.test(text),
    urls: xmlElements(text, 'loc', limits).map(xmlText),
  };
}
