import { letterPairFrequency } from './letter-pairs.ts';

/**
 * Returns true if a message is keyboard mashing: it has at most four words, and each is mashing or a short remainder of
 * it. Texts with digits, identifiers and capital letters inside a word are never gibberish, because they may be names
 * and codes.
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
 * A word with a mean frequency below this value is keyboard mashing. In the dictionaries of the seven languages, only
 * Roman numerals and words such as "wysiwyg" are below, among those with six letters or more.
 */
const maxMashingFrequency = 4.05;
/** Limit for words of letters on the home row only. Higher, because hardly any word consists of them. */
const maxHomeRowFrequency = 5;

/** A letter four times, or two to four letters three times. */
const repeatedLetters = /^(?:([a-z])\1{3,}|([a-z]{2,4})\2{2,}[a-z]{0,3})$/;

/** Neighboring keys of one row, in both directions and in the layouts of the seven languages. */
const keyboardRuns =
  /^(?:qwert[yz]?(?:u|ui|uio|uiop)?|azert(?:y|yu|yui|yuiop)?|asdf(?:g|gh|ghj|ghjk|ghjkl)?|qsdf(?:g|gh|ghj|ghjkl)?|[zy]xcv(?:b|bn|bnm)?|lkjh(?:g|gf|gfd|gfds|gfdsa)?|poiu(?:y|yt|ytr|ytrewq)?|wasd|asdfjkl)$/;

const romanNumeral = /^[ivxlcdm]+$/;

/** A short word without a meaning, such as the rest of a line of mashing. */
function isRemainder(word: string): boolean {
  return word.length <= 4 && (/^[^aeiouy]+$/.test(word) || /^[asdfghjkl]+$/.test(word));
}
