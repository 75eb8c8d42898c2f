import { decodeWords } from 'postal-mime';

/** Decodes the encoded words of a header (RFC 2047), such as `=?utf-8?B?…?=`. Other text stays as it is. */
export function decodeEncodedWords(text: string): string {
  return decodeWords(text);
}
