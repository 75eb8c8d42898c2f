/** The addresses that stand in texts, in the form of `plainAddress`, each with the numbers, from 1, of its texts. */
export function addressesIn(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  for (const [index, text] of texts.entries()) {
    const add = (address: string) => {
      const numbers = found.get(address) ?? new Set();
      found.set(address, numbers.add(index + 1));
    };
    for (const [address] of text.matchAll(addressLike)) {
      add(plainAddress(address));
      add(hostOf(address));
    }
    for (const [, target = ''] of text.matchAll(markdownTarget)) {
      add(plainAddress(target));
    }
  }
  return new Map([...found].map(([address, numbers]) => [address, [...numbers]]));
}

/**
 * The form in which two spellings of an address are equal: without scheme, `www.`, angle brackets, closing
 * punctuation and slash, the host in lower case.
 */
export function plainAddress(address: string): string {
  const bare = address
    .replace(/^<|>$/g, '')
    .replace(/^(?:https?:|mailto:|:)?(?:\/\/)?(?:www\.)?/i, '')
    .replace(closingPunctuation, '')
    .replace(/\/$/, '');
  const hostLength = bare.search(/[/?#]|$/);
  return bare.slice(0, hostLength).toLowerCase() + bare.slice(hostLength);
}

/**
 * Whether the target of a link leads where it says, whatever source holds it: to a page, a mailbox or a telephone, and
 * by no other scheme, such as `javascript:`, nor by a spelling that only a browser reads as one.
 */
export function isPlainTarget(target: string): boolean {
  return plainTarget.test(target) && !target.includes('\\');
}

const plainTarget = /^<?(?:(?:https?:)?\/\/|mailto:|tel:|[^:&/?#]*(?:[/?#>]|$))/i;

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
