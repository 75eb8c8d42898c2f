import { isNegated } from './answer-type.ts';
import type { Candidate } from './candidate.ts';

const inclusion = /\binclu(?:d|s)|(?<!\p{L})(?:enth(?:a|ä)lt|inbegriff|inkludier)|\bcompris/iu;

/**
 * Returns a function that checks whether a text says what is not included although the question asks what is, or
 * vice versa. Of a list, only the introduction counts.
 */
export function isOfOppositeList(
  question: string,
): (candidate: Pick<Candidate, 'kind' | 'text'>) => boolean {
  if (!inclusion.test(question)) return () => false;
  const isQuestionNegated = isNegated(question);
  return ({ kind, text }) => {
    const lead = kind === 'list' ? (/^[^:：]{1,80}[:：]/u.exec(text)?.[0] ?? '') : text;
    return inclusion.test(lead) && isNegated(lead) !== isQuestionNegated;
  };
}
