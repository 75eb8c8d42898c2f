import { memoize } from './memoize.ts';
import { stopWords } from './stop-words.ts';
import { foldedWords } from './terms.ts';
import { isAscii } from './tokenize.ts';

/**
 * Guesses whether two texts are in the same language. They must have the same script, and the second text must contain
 * enough function words of the first. Returns true if there are too few function words to decide. Prevents comparing
 * words of different languages.
 */
export function isSameLanguage(text: string, other: string): boolean {
  if (scriptOf(text) !== scriptOf(other)) {
    return false;
  }
  const words = functionWords(text);
  const known = functionWords(other);
  const shared = [...words].filter((word) => known.has(word)).length;
  return words.size < minWords || known.size < minWords || shared >= words.size * minShare;
}

const minWords = 4;
const minShare = 0.25;

/** Memoized, because many sentences are compared with the same texts. */
const functionWords = memoize(
  (text: string): ReadonlySet<string> =>
    new Set(foldedWords(text).filter((word) => stopWords.has(word))),
  (text) => text,
  64,
);

/** Returns the most frequent script of the text. Kana distinguish Japanese from Chinese. */
function scriptOf(text: string): string {
  if (isAscii(text)) return 'Latin';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    return 'Kana';
  }
  const counts = scripts.map(({ name, letters }) => ({
    name,
    count: text.match(letters)?.length ?? 0,
  }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).name;
}

const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Han',
  'Hangul',
  'Thai',
  'Devanagari',
].map((name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'gu') }));
