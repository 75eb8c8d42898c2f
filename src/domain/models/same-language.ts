import { stopWords } from './stop-words.ts';
import { plainWords } from './terms.ts';

/**
 * Whether two texts look like one language: they are written in the same script, and function words of the
 * first, if it has enough to tell, stand in the second. A guess that serves to not compare words in vain.
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

function functionWords(text: string): ReadonlySet<string> {
  return new Set(plainWords(text).filter((word) => stopWords.has(word)));
}

/** The script most letters belong to; Japanese is told from Chinese by its kana. */
function scriptOf(text: string): string {
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
