import { toPlainTextLine, withFullStop, wordCount } from '../../text/readable-text.ts';
import type { Candidate } from './candidate.ts';
import type { CandidateText } from './candidate-texts.ts';
import type { SentenceGroup } from './sentence-groups.ts';

/** Maximum number of words of a paragraph that is shown as a whole, and of all texts below a heading. */
const maxParagraphWords = 45;
const maxSectionWords = 75;

/** Returns a paragraph as one text. Returns null if it is long, or if a part of it cannot answer any question. */
export function paragraphBlock(
  texts: readonly CandidateText[],
  { sentences }: SentenceGroup,
): string | null {
  if (texts.some(({ isUseful }) => !isUseful)) return null;
  const lines = sentences.map((sentence) => toPlainTextLine(sentence.text));
  const [line = ''] = lines;
  // The first text may begin with the version or day that is the heading.
  const first = texts[0]?.text.endsWith(line) ? (texts[0]?.text ?? line) : line;
  const text = [first, ...lines.slice(1)].map(withFullStop).join(' ');
  return wordCount(text) <= maxParagraphWords ? text : null;
}

/**
 * Makes all texts below a heading one block, if they are short enough together. Texts with a table are not joined, and
 * texts with a list only if the heading is a question.
 */
export function withSectionBlocks<
  Text extends Pick<
    Candidate,
    'section' | 'kind' | 'isUseful' | 'block' | 'list' | 'text' | 'askedAbove'
  >,
>(candidates: readonly Text[]): readonly Text[] {
  const sections = Map.groupBy(candidates, ({ section }) => section);
  return candidates.map((candidate) => {
    const below = sections.get(candidate.section) ?? [];
    const isAsked = candidate.askedAbove.length > 0;
    const isJoined = below.every(({ kind }) => kind === 'sentence' || (kind !== 'row' && isAsked));
    if (!isJoined) return candidate;
    const texts = below
      .filter(({ isUseful }) => isUseful)
      .map(({ block, list, text }) => block ?? list?.list.whole ?? text);
    const joined = [...new Set(texts)].map(withFullStop).join(' ');
    return wordCount(joined) <= maxSectionWords ? { ...candidate, block: joined } : candidate;
  });
}
