import { ideographs, unspacedScripts } from './scripts.ts';

/** Counts words. In scripts without spaces, each character counts as half a word. */
export function wordCount(text: string): number {
  const dense = text.match(unspaced)?.length ?? 0;
  return Math.ceil(dense / 2) + (text.replace(unspaced, ' ').match(/\S+/g)?.length ?? 0);
}

const endsWithIdeograph = new RegExp(`[${ideographs}]$`, 'u');
const unspaced = new RegExp(`[${ideographs}${unspacedScripts}]`, 'gu');

/** Returns the text on one line. Removes footnote numbers such as `[3]`, because they look like citation markers. */
export function toPlainTextLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\[\d{1,4}\]/g, '')
    .replace(/^(?:#{1,6}|:::\w*) /, '')
    .trim();
}

/** Adds the full stop of the text's script, unless the text already ends with punctuation. */
export function withFullStop(text: string): string {
  const bare = text.replace(/(?<![\s,;:，；：、])[\s,;:，；：、]+$/u, '');
  if (endsSentence(bare)) return bare;
  return bare + (endsWithIdeograph.test(bare) ? '。' : '.');
}

/** Whether the text ends with punctuation that ends a sentence. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？।؟]["'”’»」)\]]*$/u.test(text);
}

const maxPairWords = 45;

/**
 * If the text starts with a pronoun, such as "It", "These" or "You can do this", adds the previous sentence in front of
 * it.
 */
export function prependPreviousSentence(text: string, before: string | undefined): string {
  const pair = `${before} ${text}`;
  const isPairUseful =
    before && leadingPronounPattern.test(text) && wordCount(pair) <= maxPairWords;
  return isPairUseful ? pair : text;
}

const leadingPronounPattern =
  /^(?:(?:you|employees|users|guests|customers) (?:can|may|must|should) do (?:this|so|that)|(?:some|all|most|examples|each|one) of (?:these|those|them)|(?:above|beyond|below|after|before|besides) (?:this|that),?|(?:darüber|darunter|danach|davor),?|it|its|this|these|those|they|their|such|he|she|his|her|er|sie|es|dies\p{L}*|sein\p{L}*|ihr\p{L}*|esto|este|esta|estos|estas|il|elle|ils|elles|ce|cette|ces|он|она|оно|они|это|эти|его)\s/iu;
