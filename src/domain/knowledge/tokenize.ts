import { stemmer } from '@orama/stemmers/english';
import { pairsOf, unspacedWords, wordsOf } from './split-words.ts';

/** One place in a text: the terms it can be found by, the whole word first. */
export type Token = readonly string[];

/**
 * Splits a text into tokens, the same way for documents and queries, in any language.
 * English is stemmed (Porter 1980). A word of another language is also found by its first five letters, which does as
 * well as a stemmer of its own (McNamee and Mayfield 2004, 'Character N-Gram Tokenization for European Language Text
 * Retrieval'). Chinese, Japanese and Korean become pairs of characters, other scripts without spaces words of ICU's
 * dictionaries. Identifiers and numbers are found whole, without separators, and by their parts.
 */
export function tokenize(text: string): Token[] {
  const folded = fold(text);
  const tokens = tokensOf(folded, isEnglish(folded) ? englishTerms : wordTerms);
  if (!isVietnamese(text)) return tokens;
  const accented = tokensOf(text.normalize('NFKC').toLowerCase(), (token) => token);
  return tokens.map((token, index) => [...new Set([...token, ...(accented[index] ?? [])])]);
}

/** The distinct terms of a query, in order, at most `limit`. */
export function queryTerms(text: string, limit = 64): string[] {
  return [...new Set(tokenize(text).flat())].slice(0, limit);
}

/**
 * NFKC, lower case, ASCII digits, no accents where letters are read without them (Latin, Greek, Cyrillic, Arabic,
 * Hebrew), and one form of letters that are written in several.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, '')
    .replace(UNREAD, '')
    .normalize('NFC')
    .replace(VARIANTS, (letter) => FORMS.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

/** Vowel points of Hebrew and Arabic, the Arabic tatweel, the Indic nukta, soft hyphens and other invisible marks. */
const UNREAD =
  /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u00ad\u200b-\u200f\u2060\ufeff]/g;

const FORMS = new Map(
  (
    'ß ss æ ae œ oe þ th ø o ł l đ d ð d ı i ς σ ' +
    // Arabic as written in Arabic, Persian and Urdu.
    'أ ا إ ا آ ا ٱ ا ى ي ی ي ئ ي ے ي ؤ و ة ه ہ ه ھ ه ک ك ں ن'
  )
    .match(/\S+ \S+/g)
    ?.map((pair) => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

const VARIANTS = new RegExp(`[${[...FORMS.keys()].join('')}]`, 'gu');

/** The decimal digits of every script are ten code points in a row, from zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const PAIRED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
const UNSPACED = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const LETTER = `(?![${PAIRED}${UNSPACED}])[\\p{L}\\p{M}\\p{N}]`;
const RUNS = new RegExp(
  `(?<paired>[${PAIRED}]+)|(?<unspaced>[${UNSPACED}]+)|(?:${LETTER})+(?:[-_.,:/@+#&'’]{1,3}(?:${LETTER})+)*`,
  'gu',
);

/** Postgres stores lexemes of at most 2,046 bytes; nobody asks for words this long. */
const LONGEST = 80;

function tokensOf(folded: string, termsOf: (token: Token) => Token): Token[] {
  const tokens: Token[] = [];
  for (const { 0: run, groups } of folded.matchAll(RUNS)) {
    const found = groups?.paired
      ? pairsOf(run)
      : groups?.unspaced
        ? unspacedWords(run)
        : wordsOf(run).map(termsOf);
    for (const token of found) tokens.push(token.map((term) => term.slice(0, LONGEST)));
  }
  return tokens;
}

function englishTerms(token: Token): Token {
  return token.map((term) => (/^[a-z]+$/.test(term) ? stemmer(term) : term));
}

function wordTerms(token: Token): Token {
  const [first = ''] = token;
  const letters = /^[\p{L}\p{M}]{6,}$/u.test(first) ? [...first] : [];
  const beginning = letters.length > 5 ? [`${letters.slice(0, 5).join('')}*`] : [];
  return [...englishTerms(token), ...beginning];
}

/** One word in fifteen of an English text is among these; in German, French or Spanish hardly any. */
function isEnglish(folded: string): boolean {
  const words = folded.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => FUNCTION_WORDS.has(word)).length > words.length / 15;
}

const FUNCTION_WORDS = new Set(
  (
    'the of and to is that for it with be by not his but are this have from had an they were their been has when who ' +
    'will more there can what which how does did where why would should could'
  ).split(' '),
);

/** Without accents Vietnamese syllables are hardly told apart. No other language has horns, hooks and dots below. */
function isVietnamese(text: string): boolean {
  const marks = text.normalize('NFD').match(/[\u0309\u031b\u0323]/g)?.length ?? 0;
  return marks > 0 && marks > (text.match(/\p{L}+/gu)?.length ?? 0) / 10;
}
