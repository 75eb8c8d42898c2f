import { gunzipSync } from 'node:zlib';
import { xmlElements, xmlText } from '../../platform/web/xml-elements.ts';
import { encodingOfByteOrderMark } from '../encoding/decode-text.ts';
import { detectUtf16 } from '../encoding/detect-utf16.ts';
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
 * Reads a sitemap, or an RSS or Atom feed, which the protocol also allows. The file may be compressed with gzip, encoded
 * in UTF-16, or a text with one address per line.
 * @throws ExtractError CORRUPT_FILE when the file is not a sitemap or is incomplete, TOO_LARGE when it exceeds a limit.
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const text = decode(unpack(bytes));
  const head = text.slice(0, headLength);
  if (!head.includes('<')) return { isIndex: false, urls: limited(linesOf(text)) };
  const [tag, root = '', prefix = '', name = ''] = rootPattern.exec(head) ?? [];
  if (tag === undefined) throw new ExtractError('CORRUPT_FILE', 'It is no sitemap');
  if (!tag.endsWith('/>') && !text.includes(`</${root}`)) {
    throw new ExtractError('CORRUPT_FILE', 'It is cut off');
  }
  return { isIndex: name === 'sitemapindex', urls: limited(urlsOf(text, prefix, name)) };
}

/** The start tag of the root element: its whole name, its prefix, and its name without the prefix. */
const rootPattern = /<(([\w-]{1,40}:)?(sitemapindex|urlset|rss|RDF|feed))(?![\w.:-])[^>]{0,1000}>/;

/** Decodes UTF-8, or UTF-16 with or without a byte order mark. */
function decode(bytes: Uint8Array): string {
  const encoding = encodingOfByteOrderMark(bytes) ?? detectUtf16(bytes) ?? 'utf-8';
  if (encoding.startsWith('utf-32')) throw new ExtractError('CORRUPT_FILE', 'It is no sitemap');
  return new TextDecoder(encoding).decode(bytes);
}

function urlsOf(text: string, prefix: string, root: string): string[] {
  const limits = { maxElements: maxUrls + 1, maxLength: 2 * maxUrlLength };
  if (root === 'feed') return atomLinks(text, `${prefix}entry`, `${prefix}link`);
  if (root === 'rss' || root === 'RDF') {
    const start = text.search(/<item[\s>]/);
    return start < 0 ? [] : xmlElements(text.slice(start), 'link', limits).map(xmlText);
  }
  return xmlElements(text, `${prefix}loc`, limits).map(xmlText);
}

/** Returns the addresses of the entries: links without `rel`, or with `rel="alternate"`. */
function atomLinks(text: string, entry: string, link: string): string[] {
  const start = text.search(new RegExp(`<${entry}[\\s>]`));
  if (start < 0) return [];
  const urls: string[] = [];
  for (const [tag] of text.slice(start).matchAll(new RegExp(`<${link}\\s[^<>]{0,5000}>`, 'g'))) {
    const rel = attributeOf(tag, 'rel');
    const href = attributeOf(tag, 'href');
    if (href !== null && (rel === null || rel === 'alternate')) urls.push(xmlText(href));
    if (urls.length > maxUrls) break;
  }
  return urls;
}

function attributeOf(tag: string, name: string): string | null {
  const [, quoted, other] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return quoted ?? other ?? null;
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
