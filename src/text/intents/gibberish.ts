import { letterPairFrequency } from './letter-pairs.ts';

/**
 * Whether a message is keyboard mashing. Such a message has at most four words, and each word is mashing or a short
 * remainder of it. Texts with digits, identifiers, or capital letters inside a word never count, because they may be
 * names and codes.
 */
export function isGibberish(message: string): boolean {
  const words = message.trim().split(/\s+/);
  if (words.length > maxWords) return false;
  const letters = words.map((word) => word.replace(/(?<![!?.,;:])[!?.,;:]+$/, ''));
  if (!letters.every((word) => /^[A-Za-z]?[a-z]*$|^[A-Z]{6,}$/.test(word))) return false;
  const lower = letters.map((word) => word.toLowerCase());
  return lower.some(isMashing) && lower.every((word) => isMashing(word) || isRemainder(word));
}

const maxWords = 4;

/** Known names that look like mashing. */
const names = new Set(['wysiwyg', 'mysql', 'pgsql', 'wxyz', 'xmpp', 'jdbc', 'htmx']);

function isMashing(word: string): boolean {
  if (names.has(word) || romanNumeral.test(word)) return false;
  return (
    repeatedLetters.test(word) ||
    keyboardRuns.test(word) ||
    (word.length >= 6 && letterPairFrequency(word) < maxMashingFrequency) ||
    (/^[asdfghjkl]{5,}$/.test(word) && letterPairFrequency(word) < maxHomeRowFrequency)
  );
}

/**
 * If the mean frequency of a word's letter pairs is below this value, the word is keyboard mashing. In the dictionaries
 * of the seven languages, the only words with six or more letters below this value are Roman numerals and words such as
 * "wysiwyg".
 */
const maxMashingFrequency = 4.05;
/**
 * The same limit for words that consist only of home row letters. It is higher, because hardly any real word consists
 * only of them.
 */
const maxHomeRowFrequency = 5;

/** The same letter four times, or the same two to four letters three times. */
const repeatedLetters = /^(?:([a-z])\1{3,}|([a-z]{2,4})\2{2,}[a-z]{0,3})$/;

/** Neighboring keys of one keyboard row, in both directions, for the keyboard layouts of the seven languages. */
const keyboardRuns =
  /^(?:qwert[yz]?(?:u|ui|uio|uiop)?|azert(?:y|yu|yui|yuiop)?|asdf(?:g|gh|ghj|ghjk|ghjkl)?|qsdf(?:g|gh|ghj|ghjkl)?|[zy]xcv(?:b|bn|bnm)?|lkjh(?:g|gf|gfd|gfds|gfdsa)?|poiu(?:y|yt|ytr|ytrewq)?|wasd|asdfjkl)$/;

const romanNumeral = /^[ivxlcdm]+$/;

/** Whether a word is short and has no meaning, such as the end of a line of mashing. */
function isRemainder(word: string): boolean {
  return word.length <= 4 && (/^[^aeiouy]+$/.test(word) || /^[asdfghjkl]+$/.test(word));
}
