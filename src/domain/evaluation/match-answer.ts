/**
 * Returns whether a text contains one of the expected answers. Ignores white space, case, ligatures, quotation marks,
 * dashes, vowel points and hyphenation at line ends. An answer of up to three digits matches only a whole number.
 */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => {
    const bare = trimPunctuation(answer);
    if (/^[\d.,%$€£]{1,3}$/.test(bare)) return containsNumber(text, bare);
    const wanted = normalizeForMatch(bare);
    if (wanted === '') return false;
    return (
      normalizeForMatch(text).includes(wanted) ||
      normalizeForMatch(joinHyphenatedWords(text)).includes(wanted)
    );
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

function containsNumber(text: string, number: string): boolean {
  const escaped = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\d)${escaped}(?!\\d)`).test(toAsciiDigits(text.normalize('NFKC')));
}

function trimPunctuation(answer: string): string {
  const bare = answer.trim().replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
  return bare === '' ? answer.trim() : bare;
}

function joinHyphenatedWords(text: string): string {
  return text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
}

/** Invisible characters, Arabic tatweel and vowel points. */
const ignoredCharacters =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640\u064b-\u0652]/g;

function normalizeForMatch(text: string): string {
  return toAsciiDigits(text.normalize('NFKC'))
    .replace(ignoredCharacters, '')
    .replace(/[‘’‚‛ʼ`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/[\s*_~\\|#>]+/g, '')
    .toLowerCase();
}

function toAsciiDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
