import { createSubstringIndex } from '../../text/substring-index.ts';

/**
 * Returns a function that says whether the text contains one of the expected answers. Ignores white space, case,
 * ligatures, quotation marks, dashes, vowel points and hyphenation at line ends. An answer of up to three digits
 * matches only a whole number. Reads the text once, because a question may have hundreds of answers.
 */
export function createAnswerMatcher(text: string): (answers: readonly string[]) => boolean {
  let numbers: ReadonlySet<string> | null = null;
  let contains: ((part: string) => boolean) | null = null;
  return (answers) =>
    answers.some((answer) => {
      const bare = trimPunctuation(answer);
      if (/^[\d.,%$€£]{1,3}$/.test(bare)) {
        numbers ??= numbersOf(text);
        return numbers.has(bare);
      }
      const wanted = normalizeForMatch(bare);
      if (wanted === '') return false;
      contains ??= createSubstringIndex(textsOf(text));
      return contains(wanted);
    });
}

/**
 * Returns whether a reply refuses to answer: it has no citations, or an abstention phrase is in its first 200
 * characters.
 */
export function isAbstention(content: string, citations: number): boolean {
  return citations === 0 || abstentionPattern.test(content.slice(0, 200));
}

const abstentionPattern =
  /\b(?:I (?:do not|don['’]t|could not|couldn['’]t|cannot|can['’]t) (?:know|find|answer|determine)|(?:is|are) not (?:mentioned|stated|specified|covered) in|do(?:es)? not (?:mention|contain|say|specify|state)|no (?:relevant )?information)\b/i;

/** Returns all texts of one to three digits and signs that are not a part of a longer number. */
function numbersOf(text: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  const runs = toAsciiDigits(text.normalize('NFKC')).matchAll(/[\d.,%$€£]+/g);
  for (const [run] of runs) {
    for (let start = 0; start < run.length; start += 1) {
      if (isDigit(run[start - 1])) continue;
      for (let end = start + 1; end <= Math.min(start + 3, run.length); end += 1) {
        if (!isDigit(run[end])) numbers.add(run.slice(start, end));
      }
    }
  }
  return numbers;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** The look-behind makes this linear: without it, each character of a run within the text starts a search. */
function trimPunctuation(answer: string): string {
  const bare = answer.trim().replace(/^[\s\p{P}]+|(?<![\s\p{P}])[\s\p{P}]+$/gu, '');
  return bare === '' ? answer.trim() : bare;
}

function textsOf(text: string): readonly string[] {
  const joined = joinHyphenatedWords(text);
  return joined === text
    ? [normalizeForMatch(text)]
    : [normalizeForMatch(text), normalizeForMatch(joined)];
}

function joinHyphenatedWords(text: string): string {
  return text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
}

/** White space, markup of Markdown, invisible characters, Arabic tatweel and vowel points. */
const ignoredCharacters =
  /[\s*_~\\|#>\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640\u064b-\u0652]+/g;

function normalizeForMatch(text: string): string {
  return toAsciiDigits(text.normalize('NFKC'))
    .replace(ignoredCharacters, '')
    .replace(/[‘’‚‛ʼ`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .toLowerCase();
}

function toAsciiDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
