/** The addresses that may stand in an answer, in the form of `plainAddress`. */
export function addressesIn(texts: readonly string[]): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const text of texts) {
    for (const [address] of text.matchAll(addressLike)) {
      addresses.add(plainAddress(address));
      addresses.add(hostOf(address));
    }
    for (const [, target = ''] of text.matchAll(markdownTarget)) {
      addresses.add(plainAddress(target));
    }
  }
  return addresses;
}

/**
 * The form in which two spellings of an address are equal: without scheme, `www.`, angle brackets, closing
 * punctuation and slash, the host in lower case.
 */
export function plainAddress(address: string): string {
  const bare = address
    .replace(/^<|>$/g, '')
    .replace(/^(?:https?:|mailto:)?(?:\/\/)?(?:www\.)?/i, '')
    .replace(closingPunctuation, '')
    .replace(/\/$/, '');
  const hostLength = bare.search(/[/?#]|$/);
  return bare.slice(0, hostLength).toLowerCase() + bare.slice(hostLength);
}

/** Punctuation that ends a sentence around an address rather than the address. */
export const closingPunctuation = /[.,;:!?)\]}'"*_~]+$/;

/** What an address is made of; brackets and full-width punctuation end it. */
export const addressCharacter = String.raw`[^\s<>"\x60[\]|，。、；：！？（）「」]`;

/** With a scheme or without: a source that names `example.com/help` supports `https://example.com/help`. */
const addressLike = new RegExp(
  String.raw`https?:\/\/${addressCharacter}+|(?<![\w.+@-])(?:mailto:)?[\w.+@-]{1,255}\.[a-z][a-z0-9-]{1,62}(?::\d+)?(?:[/?#]${addressCharacter}*)?`,
  'giu',
);
const markdownTarget = /\](?:\(|:)\s*(<[^<>\n]*>|[^\s<>()]+)/g;

function hostOf(address: string): string {
  return plainAddress(address).replace(/[/?#].*$/s, '');
}
