/** Parts of regular expressions: the contents of character classes without brackets. They need the flag `u`. */

/** Characters of Chinese and Japanese. */
export const ideographs = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;

/** Scripts that the index stores as pairs of characters. */
export const bigramScripts = String.raw`${ideographs}\p{Script=Hangul}ー`;

/** Scripts without spaces between words. ICU's dictionaries split them into words. */
export const unspacedScripts = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
