import { contentTerms } from '../../../text/terms.ts';

/**
 * Returns the share of a question's names that no text contains, 0 to 1. Names are capitalized words inside a sentence,
 * except months. Returns null if the capitals of the question show no names: all letters are small or capital, or most
 * words start with a capital. Meaningful in languages that only capitalize names.
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
/** A capitalized word after another word. A word at the start of a sentence is capitalized in any case. */
const namePattern = /(?<=[\p{L}\p{N},;:] ["“'(]?)\p{Lu}[\p{L}\p{N}'’-]*/gu;
const noNamePattern =
  /^(?:I|I['’]\p{L}{1,2}|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))$/u;
