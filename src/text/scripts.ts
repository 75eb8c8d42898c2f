/** Sources of regular expressions: character classes without brackets, for the flag `u`. */

/** Chinese and Japanese. */
export const ideographs = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;

/** Scripts whose words are indexed as pairs of characters. */
export const bigramScripts = String.raw`${ideographs}\p{Script=Hangul}ー`;

/** Scripts without spaces between words, which are segmented by ICU's dictionaries. */
export const unspacedScripts = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
