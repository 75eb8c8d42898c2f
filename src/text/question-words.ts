import { detectLanguage } from './detect-language.ts';
import { misspellingsOf } from './misspellings.ts';
import { spellingEdits } from './spelling-edits.ts';

/** English words that are typical of questions. Most documents contain few of them. */
const questionWords: ReadonlySet<string> = new Set(
  'what when where which whose does much many time cost price open close have need with from your about there'.split(
    ' ',
  ),
);

/** Misspellings of function words, by misspelling. None of them is a real word. */
const misspellings: ReadonlyMap<string, string> = new Map([
  ...misspellingsOf(
    `the and you your are who how why what when where which whose does can for from with have this that their there
    they would could should will much many about time times`,
    'rae hwy were whee whos dose odes fro form thee three ther wold woud cold coud abut aout ties'.split(
      ' ',
    ),
  ),
  ['ther', 'there'],
  ['offen', 'often'],
  ['oftn', 'often'],
  ['wath', 'what'],
  ['wen', 'when'],
  ['whitch', 'which'],
  ['mutch', 'much'],
]);

const correctedWords: ReadonlySet<string> = new Set([...questionWords, ...misspellings.values()]);

/** Whether a corrected word is typical of questions. If so, the correction does not come from a document. */
export function isQuestionWord(word: string): boolean {
  return correctedWords.has(word);
}

/**
 * Returns the English function word of which a word in a query is certainly a misspelling, as for "teh" or "wich".
 * Returns undefined for other words, and for queries in another language.
 */
export function misspelledFunctionWord(word: string, query: string): string | undefined {
  const correct = misspellings.get(query.startsWith(word) ? word.toLowerCase() : word);
  if (correct === undefined) return undefined;
  const language = detectLanguage(query);
  if (language === 'en') return correct;
  return language === null && (word.length > 3 || isEnglish(query)) ? correct : undefined;
}

/**
 * Returns the question word that is one edit (Damerau-Levenshtein distance 1) away from a word in lower case and has
 * the same first letter. If there are several, returns the longest, because most misspellings miss a letter. Returns
 * undefined if there is none.
 */
export function closestQuestionWord(word: string, query: string): string | undefined {
  if (!/^[a-z]{3,8}$/.test(word) || questionWords.has(word) || !isEnglish(query)) return undefined;
  return [...spellingEdits(word)]
    .filter((edit) => edit.length >= 4 && edit[0] === word[0] && questionWords.has(edit))
    .sort((left, right) => right.length - left.length)[0];
}

/**
 * Whether the query contains an English function word. Only such queries are corrected: German "mich" is not a
 * misspelling of "much".
 */
function isEnglish(query: string): boolean {
  return englishWords.test(query);
}

const englishWords =
  /\b(?:is|are|the|do|does|did|how|hows|what|whats|when|where|wheres|which|can|my|your|of|to|for|i)\b/i;
