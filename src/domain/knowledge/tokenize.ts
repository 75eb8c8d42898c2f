/** One place in a text: the terms it can be found by, the whole word first. */
export type Token = readonly string[];

/**
 * Splits a text into tokens, the same way for documents and queries, in any language. Terms are case-folded and free
 * of accents; identifiers and numbers are found whole, without separators, and by their parts.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [match] of fold(text).matchAll(WORD)) {
    if (UNSPACED.test(match)) tokens.push(...bigrams(match));
    else tokens.push(...wordTokens(match));
  }
  return tokens;
}

/** The distinct terms of a query, in order, at most `limit`. */
export function queryTerms(text: string, limit = 64): string[] {
  return [...new Set(tokenize(text).flat())].slice(0, limit);
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+(?:[-_.,:/@+#'’]+(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+)*/gu;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** NFKC, lower case, ASCII digits, no accents, one form of the letters that are written in several. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}+/gu, '')
    .replace(/[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u00ad\u200b-\u200f\u2060\u093c]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıأإآٱىیةںکہؤئςё]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
  أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ئ: 'ي', ؤ: 'و', ة: 'ه', ک: 'ك', ہ: 'ه', ں: 'ن', ς: 'σ', ё: 'е',
};

/** Decimal digits of every script come in runs of ten that begin with zero. */
function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  for (let step = 0; step < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1)); step++) zero--;
  return String((digit.codePointAt(0) ?? 0) - zero);
}

function bigrams(text: string): Token[] {
  const letters = [...text.matchAll(/\P{M}\p{M}*/gu)].map(([letter]) => letter);
  if (letters.length < 2) return [[text]];
  return letters.slice(1).map((letter, index) => [`${letters[index]}${letter}`]);
}

function wordTokens(word: string): Token[] {
  const parts = word.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap(splitDigits).filter((part) => part !== '');
  if (parts.length === 1) return [stemmed(word)];
  const elided = /^\p{L}+(?:['’]\p{L}+)+$/u.test(word);
  if (elided) return word.split(/['’]/u).filter((part) => part.length > 1).map(stemmed);
  const [first = [], ...rest] = parts.map(stemmed);
  const whole = word.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return [[whole, ...first], ...rest];
}

function splitDigits(part: string): string[] {
  return part.split(/(?<=\p{N})(?=\p{L})|(?<=\p{L}\p{M}*)(?=\p{N})/u);
}

function stemmed(word: string): Token {
  return [word];
}
