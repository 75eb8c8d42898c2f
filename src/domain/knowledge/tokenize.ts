import { stemmer } from '@orama/stemmers/english';

/** One place in a text: the terms it can be found by, the whole word first. */
export type Token = readonly string[];

/**
 * Splits a text into tokens, the same way for documents and queries, in any language. Terms are case-folded and free
 * of accents. English is stemmed (Porter 1980). A word of another language is also found by its first five letters,
 * which does as well as a stemmer of the language (McNamee and Mayfield 2004, 'Character N-Gram Tokenization for
 * European Language Text Retrieval'). Scripts without spaces become pairs of characters. Identifiers and numbers are
 * found whole without their separators, and by their parts.
 */
export function tokenize(text: string): Token[] {
  const folded = fold(text);
  const alternatives = isEnglish(folded) ? englishTerms : wordTerms;
  const tokens: Token[] = [];
  for (const [match] of folded.matchAll(WORD)) {
    if (UNSPACED.test(match)) tokens.push(...pairs(match));
    else tokens.push(...wordTokens(match).map(alternatives));
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

function pairs(text: string): Token[] {
  const letters = [...text.matchAll(/\P{M}\p{M}*/gu)].map(([letter]) => letter);
  if (letters.length < 2) return [[text]];
  return letters.slice(1).map((letter, index) => [`${letters[index]}${letter}`]);
}

/** The words of a run without spaces: `XJ-9000` is `xj9000`, `xj` and `9000`; `l'été` is `été`. */
function wordTokens(run: string): Token[] {
  if (SIMPLE.test(run)) return [[run]];
  const word = run.replace(/['’]s$/u, '');
  if (/^\p{L}+(?:['’]\p{L}+)+$/u.test(word)) {
    return word.split(/['’]/u).filter((part) => part.length > 1).map((part) => [part]);
  }
  const [first = '', ...rest] = word.split(/[^\p{L}\p{M}\p{N}]+|(?<=\p{N})(?=\p{L})|(?<=\p{L}\p{M}*)(?=\p{N})/u).filter(Boolean);
  const whole = word.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return [[whole, first], ...rest.map((part) => [part])];
}

const SIMPLE = /^(?:[\p{L}\p{M}]+|\p{N}+)$/u;

function englishTerms(token: Token): Token {
  return token.map((term) => (/^[a-z]+$/.test(term) ? stemmer(term) : term));
}

function wordTerms(token: Token): Token {
  return englishTerms(token).flatMap((term, index) => {
    const word = token[index] ?? term;
    const letters = /^[\p{L}\p{M}]+$/u.test(word) ? [...word] : [];
    return letters.length > PREFIX ? [term, `${letters.slice(0, PREFIX).join('')}*`] : [term];
  });
}

const PREFIX = 5;

/** Every fifteenth word or more of an English text is one of these; of German, French or Spanish hardly any. */
function isEnglish(folded: string): boolean {
  const words = folded.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => ENGLISH.has(word)).length > words.length / 15;
}

const ENGLISH = new Set(
  ('the of and to is that for it with be by not his but are this have from had an they were their been has when who ' +
    'will more there can what which how does did where why would should could').split(' '),
);
