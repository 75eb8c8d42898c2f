import { ideographs } from '../../text/scripts.ts';
import { isVocabularyWord } from './vocabulary.ts';

/**
 * Joins lines with spaces. Rejoins words that were hyphenated at the end of a line, but keeps a hyphen that belongs to
 * the word. Adds no space between ideographs. `words` are the words of the document, in lower case.
 */
export function joinLines(lines: readonly string[], words: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    const connection = connectionOf(text, line, words);
    const start = connection === 'REMOVED_HYPHEN' ? text.slice(0, -1) : text;
    return start + (connection === 'SPACE' ? ' ' : '') + line;
  });
}

type Connection = 'SPACE' | 'NOTHING' | 'REMOVED_HYPHEN';

/** Matches the last word of a line, without hyphens before it, and a hyphen after it. */
const lastWord = /(?<![\p{L}\p{N}-])-*([\p{L}\p{N}][\p{L}\p{N}-]*?)([-\u2010\u00ad]?)$/u;
const ideographPattern = new RegExp(`[${ideographs}\u3000-\u303f\uff00-\uffef]`, 'u');

function connectionOf(text: string, line: string, words: ReadonlySet<string>): Connection {
  if (ideographPattern.test(text.at(-1) ?? '') && ideographPattern.test(line.at(0) ?? '')) {
    return 'NOTHING';
  }
  const [, half = '', hyphen = ''] = lastWord.exec(text.slice(-60)) ?? [];
  const right = /^\p{Ll}\p{L}*/u.exec(line)?.[0].toLowerCase();
  if (half === '') return 'SPACE';
  if (hyphen === '\u00ad') return 'REMOVED_HYPHEN';
  const left = half.toLowerCase();
  if (hyphen === '') {
    // Some PDFs omit the hyphen at the end of a line.
    const isBroken =
      right !== undefined && words.has(left + right) && !words.has(right) && !words.has(left);
    return isBroken ? 'NOTHING' : 'SPACE';
  }
  // "RX-4410", "EU-Richtlinie"
  if (right === undefined) return /^[\p{L}\p{N}]/u.test(line) ? 'NOTHING' : 'SPACE';
  if (conjunctions.has(right)) return 'SPACE';
  if (words.has(left + right)) return 'REMOVED_HYPHEN';
  return isCompound(half, right, words) ? 'NOTHING' : 'REMOVED_HYPHEN';
}

/** Words after a hyphen that replaces the rest of a word, as in "pre- and post-war" and "Ein- und Ausgang". */
const conjunctions = new Set(['and', 'or', 'to', 'und', 'oder', 'bis', 'et', 'ou', 'y', 'o', 'e']);

/** Whether a word is written with a hyphen also within a line. */
function isCompound(half: string, right: string, words: ReadonlySet<string>): boolean {
  const left = half.toLowerCase();
  if (words.has(`${left}-${right}`)) return true;
  // "30-day", "e-mail", "PDF-Datei"
  if (/\p{N}$/u.test(half) || half.length === 1 || /^\p{Lu}{2,}$/u.test(half)) return true;
  const last = left.slice(left.lastIndexOf('-') + 1);
  if (isVocabularyWord(last + right)) return false;
  const isAffix = prefixes.has(last) || suffixes.has(right);
  return !isAffix && isVocabularyWord(last) && isVocabularyWord(right);
}

/** Parts of words that are also words. A hyphen beside them is nearly always the end of a line. */
const prefixes = new Set('re un in im de dis con com per ex en mis trans inter pro sub'.split(' '));
const suffixes = new Set(
  `able ible less ness ment ments ful ship ing ings ed er ers est ly age al ism ist ists tion tions sion ion ions ity ive
  ous ant ent ance ence ary ery ory ure ward wards hood dom`.split(/\s+/),
);
