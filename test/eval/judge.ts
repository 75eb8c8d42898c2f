/**
 * Whether a text holds one of the expected answers. White space, case, ligatures, quotation marks, dashes, vowel points
 * and words divided at the end of a line make no difference; an answer of a few digits must stand alone.
 */
export function holdsAnswer(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => {
    const bare = withoutOuterMarks(answer);
    if (/^[\d.,%$€£]{1,3}$/.test(bare)) return holdsNumber(text, bare);
    const wanted = plain(bare);
    if (wanted === '') return false;
    return plain(text).includes(wanted) || plain(joinedAtLineEnds(text)).includes(wanted);
  });
}

/** Whether a reply says that it does not know: without citations, or in such words at its beginning. */
export function isAbstention(content: string, citations: number): boolean {
  return citations === 0 || declines.test(content.slice(0, 200));
}

const declines =
  /\b(?:I (?:do not|don['’]t|could not|couldn['’]t|cannot|can['’]t) (?:know|find|answer|determine)|(?:is|are) not (?:mentioned|stated|specified|covered) in|do(?:es)? not (?:mention|contain|say|specify|state)|no (?:relevant )?information)\b/i;

function holdsNumber(text: string, number: string): boolean {
  const escaped = number.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\d)${escaped}(?!\\d)`).test(westernDigits(text.normalize('NFKC')));
}

function withoutOuterMarks(answer: string): string {
  const bare = answer.trim().replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
  return bare === '' ? answer.trim() : bare;
}

function joinedAtLineEnds(text: string): string {
  return text.replace(/(?<=\p{L})[-‐\u00ad]\s+(?=\p{L})/gu, '');
}

/** Invisible marks, the Arabic tatweel and vowel points. */
const unread = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640\u064b-\u0652]/g;

function plain(text: string): string {
  return westernDigits(text.normalize('NFKC'))
    .replace(unread, '')
    .replace(/[‘’‚‛ʼ`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/[\s*_~\\|#>]+/g, '')
    .toLowerCase();
}

function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
