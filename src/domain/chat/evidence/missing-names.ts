import { contentTerms } from '../../../text/terms.ts';

/**
 * Returns the share of a question's names that no text contains, 0 to 1. Names are capitalized words inside a sentence,
 * except months. Returns null if capital letters do not reveal names in this question: all letters have the same case,
 * or most words start with a capital. Only meaningful in languages that capitalize names and no other words.
 */
export function missingNames(question: string, texts: readonly string[]): number | null {
  const words = question.match(wordPattern) ?? [];
  const capitalized = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const isUsual = capitalized > 0 && capitalized < maxCapitalizedShare * words.length;
  if (!isUsual) return null;
  const names = [...question.matchAll(namePattern)]
    .map(([name]) => name.replace(/['’]s$/u, ''))
    .filter((name) => !noNamePattern.test(name) && contentTerms(name).length > 0);
  if (names.length === 0) return 0;
  const found = new Set(texts.flatMap((text) => contentTerms(text.replace(/_/gu, ' '))));
  const isMissing = (name: string) => contentTerms(name).some((term) => !found.has(term));
  return names.filter(isMissing).length / names.length;
}

const maxCapitalizedShare = 0.7;
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}'’&.-]*/gu;
/**
 * Matches a capitalized word after another word. Excludes the first word of a sentence, which is always capitalized.
 */
const namePattern = /(?<=[\p{L}\p{N},;:] ["“'(]?)\p{Lu}[\p{L}\p{N}'’-]*/gu;
const noNamePattern =
  /^(?:I|I['’]\p{L}{1,2}|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))$/u;
