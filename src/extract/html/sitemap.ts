import { gunzipSync } from 'node:zlib';
import { xmlElements, xmlText } from '../../platform/web/xml-elements.ts';
import { ExtractError } from '../extracted-text.ts';

/** A sitemap, or an index of sitemaps. Addresses are unchanged: they may be relative or hostile. */
export interface Sitemap {
  /** If true, the file is an index and the addresses lead to other sitemaps. */
  readonly isIndex: boolean;
  readonly urls: readonly string[];
}

/** Limits of the sitemap protocol: https://www.sitemaps.org/protocol.html */
const maxBytes = 50 * 1024 * 1024;
const maxUrls = 50_000;

const maxUrlLength = 2_048;
/** Maximum total length of the addresses of a sitemap, in UTF-16 units. */
const maxTotalLength = 8_000_000;
/** The root element must begin within this number of characters. */
const headLength = 10_000;

/**
 * Reads a sitemap. The file may be compressed with gzip, or may be a text with one address per line.
 * @throws ExtractError CORRUPT_FILE when the file is not a sitemap or is incomplete, TOO_LARGE when it exceeds a limit.
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const text = Buffer.from(unpack(bytes)).toString('utf8');
  const head = text.slice(0, headLength);
  if (!head.includes('<')) return { isIndex: false, urls: limited(linesOf(text)) };
  const [tag, root = ''] =
    /<((?:[\w-]{1,40}:)?(?:sitemapindex|urlset))\b[^>]{0,1000}>/.exec(head) ?? [];
  if (tag === undefined) throw new ExtractError('CORRUPT_FILE', 'It is no sitemap');
  if (!tag.endsWith('/>') && !text.includes(`</${root}`)) {
    throw new ExtractError('CORRUPT_FILE', 'It is cut off');
  }
  const limits = { maxElements: maxUrls + 1, maxLength: 2 * maxUrlLength };
  return {
    isIndex: root.endsWith('sitemapindex'),
    urls: limited(xmlElements(text, 'loc', limits).map(xmlText)),
  };
}

function unpack(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new ExtractError('CORRUPT_FILE', 'It cannot be unpacked', { cause });
  }
}

/** Returns the addresses of a plain text. Every address must start with http: or https:. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const [line] of text.matchAll(/\S+/g)) {
    if (!/^https?:/i.test(line)) throw new ExtractError('CORRUPT_FILE', 'It is no sitemap');
    lines.push(line);
    if (lines.length > maxUrls) break;
  }
  return lines;
}

function limited(urls: readonly string[]): string[] {
  const kept = urls.map((url) => url.trim()).filter(({ length }) => length <= maxUrlLength);
  const length = kept.reduce((sum, url) => sum + url.length, 0);
  if (urls.length > maxUrls || length > maxTotalLength) {
    throw new ExtractError('TOO_LARGE', 'It has too many addresses');
  }
  return kept;
}
