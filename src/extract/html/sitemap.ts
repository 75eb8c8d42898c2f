import { gunzipSync } from 'node:zlib';
import { xmlElements, xmlText } from '../../platform/web/xml-elements.ts';
import { ExtractError } from '../extracted-text.ts';

/** A sitemap, or an index of sitemaps. Its addresses are as in the file: relative, hostile. */
export interface Sitemap {
  /** Whether the addresses are those of other sitemaps. */
  readonly isIndex: boolean;
  readonly urls: readonly string[];
}

/** The limits of the protocol: https://www.sitemaps.org/protocol.html */
const maxBytes = 50 * 1024 * 1024;
const maxUrls = 50_000;

const maxUrlLength = 2_048;
/** Characters of all addresses of a sitemap. */
const maxTotalLength = 8_000_000;
/** The root element is within the first characters. */
const headLength = 10_000;

/**
 * Reads a sitemap, also one compressed with gzip, or a text with one address per line.
 * @throws ExtractError CORRUPT_FILE when it is none, or only a part of one, TOO_LARGE when it exceeds a limit.
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

/** Addresses in a plain text are complete. */
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
