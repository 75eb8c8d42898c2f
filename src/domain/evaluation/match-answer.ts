/**
 * Returns a function that says whether the text contains one of the expected answers, at borders of words and numbers:
 * "5 days" is not in "15 days". Ignores white space, case, ligatures, quotation marks, dashes, vowel points and
 * hyphenation at line ends. Reads the text once, because a question may have hundreds of answers.
 */
export function createAnswerMatcher(text: string): (answers: readonly string[]) => boolean {
  let read: readonly ReadText[] | null = null;
  return (answers) =>
    answers.some((answer) => {
      const wanted = readText(trimPunctuation(answer));
      if (wanted.units === '') return false;
      read ??= [...new Set([text, joinHyphenatedWords(text)])].map(readText);
      return read.some((one) => containsAtBorders(one, wanted));
    });
}

/** A text as it is compared. */
interface ReadText {
  readonly units: string;
  /** The units as numbers. */
  readonly codes: Uint16Array;
  /** Whether a word or number may begin or end before each unit, and at the end. */
  readonly isBorder: Uint8Array;
}

/** Separates words, and is ignored: white space, and markup of Markdown. */
const separator = /[\s*_~\\|#>]/;
/** Ignored within words: invisible characters, Arabic tatweel and vowel points. */
const ignored = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640\u064b-\u0652]/;
const letter = /[\p{L}\p{M}]/u;
/** Letters of scripts that do not separate words. */
const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function readText(text: string): ReadText {
  const isBorder: number[] = [];
  let units = '';
  let last = '';
  for (const character of unify(text)) {
    if (separator.test(character)) last = '';
    if (separator.test(character) || ignored.test(character)) continue;
    const kind = kindOf(character);
    const lower = character.toLowerCase();
    isBorder.push(Number(kind === '' || kind !== last), ...Array(lower.length - 1).fill(0));
    units += lower;
    last = kind;
  }
  const codes = Uint16Array.from({ length: units.length }, (_, index) => units.charCodeAt(index));
  return { units, codes, isBorder: Uint8Array.from([...isBorder, 1]) };
}

/**
 * Kind of a character, for borders. There is no border between two letters or two digits. Any other character has the
 * kind '' and a border on both sides.
 */
function kindOf(character: string): '' | 'digit' | 'letter' {
  if (character >= '0' && character <= '9') return 'digit';
  return letter.test(character) && !unseparated.test(character) ? 'letter' : '';
}

function unify(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[‘’‚‛ʼ`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/ς/g, 'σ');
}

/**
 * Takes linear time also for repetitive texts, for which `String.includes` does not (Knuth, Morris and Pratt 1977). The
 * search for a short prefix is much faster, and decides for most texts.
 */
function containsAtBorders({ units, codes, isBorder }: ReadText, wanted: ReadText): boolean {
  const first = units.indexOf(wanted.units.slice(0, 16));
  if (first < 0) return false;
  const fallbacks = fallbacksOf(wanted.codes);
  const { length } = wanted.codes;
  let matched = 0;
  for (let end = first; end < codes.length; end += 1) {
    matched = advance(wanted.codes, fallbacks, matched, codes[end]);
    if (matched < length) continue;
    if (isBorder[end + 1 - length] === 1 && isBorder[end + 1] === 1) return true;
    matched = fallbacks[length] ?? 0;
  }
  return false;
}

/** Returns how many codes are matched after one more code. */
function advance(
  wanted: Uint16Array,
  fallbacks: Int32Array,
  matched: number,
  code: number | undefined,
): number {
  let length = matched;
  while (length > 0 && wanted[length] !== code) length = fallbacks[length] ?? 0;
  return wanted[length] === code ? length + 1 : length;
}

/** For each length, the length of the longest proper prefix that is also a suffix. */
function fallbacksOf(wanted: Uint16Array): Int32Array {
  const fallbacks = new Int32Array(wanted.length + 1);
  for (let end = 1; end < wanted.length; end += 1) {
    fallbacks[end + 1] = advance(wanted, fallbacks, fallbacks[end] ?? 0, wanted[end]);
  }
  return fallbacks;
}

/** The look-behind makes this linear: without it, each character of a run within the text starts a search. */
function trimPunctuation(answer: string): string {
  const bare = answer.trim().replace(/^[\s\p{P}]+|(?<![\s\p{P}])[\s\p{P}]+$/gu, '');
  return bare === '' ? answer.trim() : bare;
}

function joinHyphenatedWords(text: string): string {
  return text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
}
