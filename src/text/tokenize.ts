import { stemmer } from '@orama/stemmers/english';
import { memoize } from './memoize.ts';
import { bigramScripts, unspacedScripts } from './scripts.ts';
import { characterBigrams, segmentWords, splitCompound, type Token } from './split-words.ts';

/**
 * Splits a text of any language into tokens. Documents and queries use the same tokens.
 *
 * English words are stemmed (Porter 1980). For other words, the first five letters become an additional term, which
 * works as well as a stemmer for each language (McNamee and Mayfield 2004, 'Character N-Gram Tokenization for European
 * Language Text Retrieval'). Chinese, Japanese and Korean become pairs of characters. Other scripts without spaces are
 * split into words with ICU's dictionaries. Identifiers and numbers become one term without separators, plus their
 * parts.
 */
export function tokenize(text: string): readonly Token[] {
  return text.length <= maxQueryLength ? tokenizeQuery(text) : tokenizeText(text);
}

/**
 * Maximum length of a text whose tokens are stored. A search needs the tokens of its query, and of single words of the
 * query, several times.
 */
const maxQueryLength = 300;
const tokenizeQuery = memoize(tokenizeText, (text) => text);

function tokenizeText(text: string): Token[] {
  const folded = fold(text);
  const tokens = tokenizeRuns(folded, isEnglish(folded) ? englishTokens : prefixedTokens);
  if (!isVietnamese(text)) return tokens;
  const accented = tokenizeRuns(text.normalize('NFKC').toLowerCase(), accentedTokens);
  return tokens.map((token, index) => [...new Set([...token, ...(accented[index] ?? [])])]);
}

/**
 * Normalizes a text for comparison: NFKC, lower case, ASCII digits, and a single form for letters with several
 * spellings. Removes accents in scripts that are readable without them (Latin, Greek, Cyrillic, Arabic, Hebrew).
 */
export function fold(text: string): string {
  // In ASCII text, only the case changes. The general method takes ten times as long.
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, '')
    .replace(ignoredMarks, '')
    .normalize('NFC')
    .replace(variantPattern, (letter) => letterVariants.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

/** Whether a text contains only ASCII characters. */
export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/**
 * Marks that are removed: Hebrew and Arabic vowel points, Arabic tatweel, Indic nukta, soft hyphens and other invisible
 * marks.
 */
const ignoredMarks =
  /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u00ad\u200b-\u200f\u2060\ufeff]/g;

const letterVariants = new Map(
  (
    'ß ss æ ae œ oe þ th ø o ł l đ d ð d ı i ς σ ' +
    // Letters of Arabic, Persian and Urdu, each followed by the letter that replaces it.
    'أ ا إ ا آ ا ٱ ا ى ي ی ي ئ ي ے ي ؤ و ة ه ہ ه ھ ه ک ك ں ن'
  )
    .match(/(?<!\S)\S+ \S+/g)
    ?.map((pair) => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

const variantPattern = new RegExp(`[${[...letterVariants.keys()].join('')}]`, 'gu');

/**
 * Returns the ASCII digit with the same value. In every script, the decimal digits are ten consecutive code points that
 * start with zero.
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const spacedLetter = `(?![${bigramScripts}${unspacedScripts}])[\\p{L}\\p{M}\\p{N}]`;
const runPattern = new RegExp(
  `(?<paired>[${bigramScripts}]+)|(?<unspaced>[${unspacedScripts}]+)|(?:${spacedLetter})+(?:[-_.,:/@+#&'’]{1,3}(?:${spacedLetter})+)*`,
  'gu',
);

/** Finds the same as `runPattern` in ASCII text, several times as fast. */
const asciiRunPattern = /[A-Za-z0-9]+(?:[-_.,:/@+#&']{1,3}[A-Za-z0-9]+)*/g;

/**
 * Maximum length of a term. Postgres stores lexemes of at most 2,046 bytes, and queries contain no words that are this
 * long.
 */
const maxTermLength = 80;

const maxStoredRuns = 8_192;
const maxStoredRunLength = 32;

function tokenizeRuns(folded: string, tokensOf: (run: string) => readonly Token[]): Token[] {
  const tokens: Token[] = [];
  if (isAscii(folded)) {
    for (const run of folded.match(asciiRunPattern) ?? []) {
      for (const token of tokensOf(run)) tokens.push(token);
    }
    return tokens;
  }
  for (const { 0: run, groups } of folded.matchAll(runPattern)) {
    const found = groups?.paired
      ? characterBigrams(run).map(limitToken)
      : groups?.unspaced
        ? segmentWords(run).map(limitToken)
        : tokensOf(run);
    for (const token of found) tokens.push(token);
  }
  return tokens;
}

function limitToken(token: Token): Token {
  return token.map((term) => term.slice(0, maxTermLength));
}

const englishTokens = tokensOfRuns(stemEnglish);
const prefixedTokens = tokensOfRuns(stemWithPrefix);
const accentedTokens = tokensOfRuns((token) => token);

/** Returns a function that splits runs of letters, and stores the tokens of short ones, because words repeat. */
function tokensOfRuns(termsOf: (token: Token) => Token): (run: string) => readonly Token[] {
  const compute = (run: string) => splitCompound(run).map((token) => limitToken(termsOf(token)));
  const stored = new Map<string, readonly Token[]>();
  return (run) => {
    const known = stored.get(run);
    if (known !== undefined) return known;
    const tokens = compute(run);
    if (run.length > maxStoredRunLength) return tokens;
    if (stored.size >= maxStoredRuns) stored.clear();
    stored.set(run, tokens);
    return tokens;
  };
}

function stemEnglish(token: Token): Token {
  return token.map((term) => (/^[a-z]+$/.test(term) ? stemmer(term) : term));
}

function stemWithPrefix(token: Token): Token {
  const [first = ''] = token;
  const letters = /^[\p{L}\p{M}]{6,}$/u.test(first) ? [...first] : [];
  const prefix = letters.length > 5 ? [`${letters.slice(0, 5).join('')}*`] : [];
  return [...stemEnglish(token), ...prefix];
}

/**
 * Guesses whether a text is English. In an English text, at least one word in fifteen is in `englishFunctionWords`. In
 * German, French or Spanish, hardly any word is.
 */
function isEnglish(folded: string): boolean {
  const words = folded.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => englishFunctionWords.has(word)).length > words.length / 15;
}

const englishFunctionWords = new Set(
  (
    'the of and to is that for it with be by not his but are this have from had an they were their been has when who ' +
    'will more there can what which how does did where why would should could'
  ).split(' '),
);

/**
 * Guesses whether a text is Vietnamese. This matters because Vietnamese syllables are ambiguous without accents. Only
 * Vietnamese has horns, hooks and dots below letters.
 */
function isVietnamese(text: string): boolean {
  if (isAscii(text)) return false;
  const marks = text.normalize('NFD').match(/[\u0309\u031b\u0323]/g)?.length ?? 0;
  return marks > 0 && marks > (text.match(/\p{L}+/gu)?.length ?? 0) / 10;
}
