import { detectLanguage, type Language } from './detect-language.ts';

/**
 * Returns the language of most of the texts. Returns null if they are in several languages or in a language that is not
 * detected, or if there are none.
 */
export function dominantLanguage(texts: readonly string[]): Language | null {
  const counts = new Map<Language, number>();
  for (const text of texts) {
    const language = detectLanguage(text);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const detected = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isClear = most !== undefined && most[1] >= minShare * detected;
  return isClear && detected >= minDetected * texts.length ? most[0] : null;
}

/** Minimum share of the most frequent language among the texts whose language is clear. */
const minShare = 0.8;
/** At least this share of all texts must have a clear language. Tables and lists have no clear language. */
const minDetected = 0.5;
