import { fold } from './tokenize.ts';

/**
 * Spells the compounds of a query in the way of the texts. "checkout", "check-out" and "check out" are one word, but
 * have different terms. Does not change a word that a text contains in this spelling.
 */
export function spellCompoundsAsIn(query: string, texts: readonly string[]): string {
  const text = fold(texts.join('\n'));
  const words = new Set(text.match(wordPattern));
  const hyphenated = new Map<string, string>();
  for (const word of words) {
    if (word.includes('-')) hyphenated.set(word.replaceAll('-', ''), word);
  }
  const spelled = query.replace(wordPattern, (word) => {
    const folded = fold(word);
    const joined = folded.replaceAll('-', '');
    if (words.has(folded) || joined.length < minLength) return word;
    return words.has(joined) ? joined : (hyphenated.get(joined) ?? splitAsIn(folded, text) ?? word);
  });
  return spelled.replace(partPattern, (part, first: string, second: string) => {
    const joined = fold(first + second);
    const isWord = joined.length >= minLength && words.has(joined);
    return isWord && !text.includes(fold(`${first} ${second}`)) ? first : part;
  });
}

/** Splits a word into two words that follow each other in the text. Returns undefined if the text has no such words. */
function splitAsIn(word: string, text: string): string | undefined {
  if (word.length > maxSplitLength) return undefined;
  for (let at = minPart; at <= word.length - minPart; at += 1) {
    const parts = `${word.slice(0, at)} ${word.slice(at)}`;
    const found = text.indexOf(parts);
    const around = `${text[found - 1] ?? ' '}${text[found + parts.length] ?? ' '}`;
    if (found >= 0 && !/\p{L}/u.test(around)) return parts;
  }
  return undefined;
}

/** Minimum length of the whole compound. A shorter compound is too often a different word. */
const minLength = 4;
const maxSplitLength = 16;
const minPart = 2;
const wordPattern = /\p{L}+(?:-\p{L}+)*/gu;
const partPattern = /(?<![\p{L}-])(\p{L}{2,12}) (?=(\p{L}{2,12})(?![\p{L}-]))/gu;
