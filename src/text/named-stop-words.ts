/**
 * Function words that are names if they are written in capitals: departments, organizations, countries, states. Words
 * that texts write in capitals for emphasis, such as NOT and MAY, are not included.
 */
const capitalNames = 'AM|AS|AT|DE|ES|IL|IN|IT|LA|ME|UN|US|WHO';

/** A piece of a text: either a name, or the text between two names. */
export interface TextPiece {
  readonly text: string;
  readonly isName: boolean;
}

/** Words that can be before the month May. */
const beforeMonth =
  /(?:\b(?:in|of|by|until|till|since|from|to|and|or|on|before|after|during|early|mid|late|next|last|this|every|each|through)|\d(?:st|nd|rd|th)?|[,(/–-])\s{0,3}$/i;

const named = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${capitalNames}|May|Will)(?![\p{L}\p{N}])`,
  'gu',
);
const mayBeNamed = new RegExp(`${capitalNames}|May|Will`);

/**
 * Splits a text at names that are also function words: "the head of IT", "in May", "Will Becker repairs printers".
 * Returns null if the text has no such names. Most texts have none.
 */
export function splitAtNames(text: string): TextPiece[] | null {
  if (!mayBeNamed.test(text) || !/\p{Ll}/u.test(text)) return null;
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(named)) {
    const before = text.slice(Math.max(0, index - contextLength), index);
    const after = text.slice(index + word.length, index + word.length + contextLength);
    if (!isName(word, before, after, text)) continue;
    pieces.push({ text: text.slice(end, index), isName: false }, { text: word, isName: true });
    end = index + word.length;
  }
  if (pieces.length === 0) return null;
  return [...pieces, { text: text.slice(end), isName: false }];
}

/** Number of characters before and after a word that decide whether the word is a name. */
const contextLength = 24;

function isName(word: string, before: string, after: string, text: string): boolean {
  // Several consecutive words in capitals are emphasis: "WHO IS IT".
  if (/^\p{Lu}+$/u.test(word)) {
    return !/\b\p{Lu}{2,}\s$/u.test(before) && !/^\s\p{Lu}{2,}\b/u.test(after);
  }
  if (word === 'May' && (beforeMonth.test(before) || /^\s\d/.test(after))) return true;
  const startsSentence = /(?:^|[.!?:;"“‘'(*•-])\s*$/u.test(before);
  const isBeforeName = /^\s\p{Lu}\p{Ll}/u.test(after);
  if (startsSentence) return isBeforeName && !text.trimEnd().endsWith('?');
  return /(?:^|\s)\p{Ll}+\s$/u.test(before) && !/^\s(?:I|we|you|he|she|it|they)\b/i.test(after);
}
