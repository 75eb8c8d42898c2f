import { createHash } from 'node:crypto';
import type { WebsiteContent } from './website-documents.ts';

/**
 * Returns a key that is equal for copies of one text: the same page with a campaign or a session in its address, its
 * print version, or the same file. The name of a document is part of its text. Addresses in the text count without
 * what differs between such copies. Returns null for a page without text.
 */
export function textKeyOf(
  url: string,
  content: Exclude<WebsiteContent, { type: 'refused' }>,
): string | null {
  if (content.type === 'file') return hashOf(content.name, content.body);
  const { title, markdown } = content.page;
  if (markdown === '') return null;
  const own = comparableUrl(url);
  const text = markdown.replace(/https?:\/\/[^\s<>()]{1,2048}/g, (href) => {
    const [address = '', fragment = ''] = comparableUrl(href).split('#');
    return `${address === own ? '' : address}#${fragment}`;
  });
  return hashOf(title, text);
}

/**
 * Returns the address without campaign, session and name of the index page. The result is often, but not always, an
 * address of the same page.
 */
export function plainUrlOf(url: string): string {
  const plain = new URL(url);
  plain.pathname = plain.pathname
    .replace(/;(?:jsessionid|phpsessid)=[^/;]*/gi, '')
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i, '/');
  const names = [...new Set(plain.searchParams.keys())].filter((name) => noisePattern.test(name));
  // Deleting a parameter writes all others in another form, so an address without such parameters stays as it is.
  for (const name of names) plain.searchParams.delete(name);
  return plain.href;
}

/** Parameters of campaigns and sessions. */
const noisePattern =
  /^(?:utm_\w+|[gw]braid|(?:g|d|y|tw|tt|fb)clid|msclkid|igshid|mc_[ce]id|_g[al]|_hs(?:enc|mi)|mkt_tok|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sid|sess(?:ion)?_?id)$/i;

/** Returns a form of the address that is equal for links of a page and of its print version. */
function comparableUrl(href: string): string {
  if (!URL.canParse(href)) return href;
  const plain = new URL(plainUrlOf(href));
  for (const name of ['print', 'printable', 'amp']) plain.searchParams.delete(name);
  const path = plain.pathname.replace(/\/(?:print|printer|printable|amp)(?=\/|$)/gi, '');
  const scheme = plain.protocol === 'http:' ? 'https:' : plain.protocol;
  return `${scheme}//${plain.host}${path.replace(/\/$/, '')}${plain.search}${plain.hash}`;
}

function hashOf(name: string, text: string | Buffer): string {
  return createHash('sha256').update(name).update('\0').update(text).digest('base64url');
}
