/**
 * Returns the normalized URLs (`normalizeUrl`) of all texts. The value of each URL is a list of the texts that contain
 * it, as numbers from 1.
 */
export function indexUrls(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  for (const [index, text] of texts.entries()) {
    const add = (address: string) => {
      const numbers = found.get(address) ?? new Set();
      found.set(address, numbers.add(index + 1));
    };
    for (const [address] of text.matchAll(urlLike)) {
      add(normalizeUrl(address));
      add(hostOf(address));
    }
    for (const [, target = ''] of text.matchAll(markdownTarget)) {
      add(normalizeUrl(target));
    }
  }
  return new Map([...found].map(([address, numbers]) => [address, [...numbers]]));
}

/**
 * Normalizes a URL for comparison: removes the scheme, `www.`, angle brackets, closing punctuation and a trailing
 * slash, and converts the host to lower case. Reads a backslash as a slash, as browsers do.
 */
export function normalizeUrl(address: string): string {
  const bare = address
    .replaceAll('\\', '/')
    .replace(/^<|>$/g, '')
    .replace(/^(?:https?:|mailto:|:)?(?:\/\/)?(?:www\.)?/i, '')
    .replace(closingPunctuation, '')
    .replace(/\/$/, '');
  const hostLength = bare.search(/[/?#]|$/);
  return bare.slice(0, hostLength).toLowerCase() + bare.slice(hostLength);
}

/**
 * Returns true if a link target is a web page, e-mail address or phone number. Rejects other schemes, such as
 * `javascript:`, and spellings that browsers interpret as such a scheme.
 */
export function isSafeLinkTarget(target: string): boolean {
  return safeLinkTarget.test(target) && !target.includes('\\');
}

const safeLinkTarget = /^<?(?:(?:https?:)?\/\/|mailto:|tel:|[^:&/?#]*(?:[/?#>]|$))/i;

/** Matches punctuation at the end of a URL. It belongs to the sentence and not to the URL. */
export const closingPunctuation = /(?<![.,;:!?)\]}'"*_~])[.,;:!?)\]}'"*_~]+$/;

/** Pattern for one character of a URL. Brackets and full-width punctuation end a URL. */
export const urlCharacter = String.raw`[^\s<>"\x60[\]|，。、；：！？（）「」]`;

/**
 * Matches URLs with or without a scheme. So a source that mentions `example.com/help` also supports
 * `https://example.com/help`.
 */
const urlLike = new RegExp(
  String.raw`https?:\/\/${urlCharacter}+|(?<![\w.+@-])(?:mailto:)?[\w.+@-]{1,255}\.[a-z][a-z0-9-]{1,62}(?::\d+)?(?:[/?#]${urlCharacter}*)?`,
  'giu',
);
const markdownTarget = /\](?:\(|:)[^\S\n]*(?:\n[^\S\n]*)?(<[^<>\n]*>|[^\s<>()]+)/g;

function hostOf(address: string): string {
  return normalizeUrl(address).replace(/[/?#].*$/s, '');
}
