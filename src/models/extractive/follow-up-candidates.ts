import { coreQuestion } from '../../text/core-question.ts';
import { contentTerms } from '../../text/terms.ts';
import {
  asksWhy,
  isFollowUp,
  ownTerms,
  previousAnswer,
  referencedItem,
  refersBack,
  withoutMarkers,
} from '../follow-up/follow-up.ts';
import type { RewriteRequest } from '../models.ts';
import type { Candidate } from './candidate.ts';

/**
 * Selects the candidates that answer a follow-up question. Returns all candidates if the question is not a follow-up.
 * Returns none if the previous answer contains all of them.
 *
 * - If the question refers to an item of a list, this item replaces the list.
 * - If some candidates contain every content word of the question ("and Mac?"), candidates that contain none are left
 *   out.
 * - A sentence of the previous answer is left out, unless it contains a word of the question.
 * - A table row is kept, because it can answer several questions.
 * - For "why?", the previous answer is kept, unless another sentence gives a reason.
 */
export function selectFollowUpCandidates(
  { history, question }: RewriteRequest,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const answer = withoutMarkers(previousAnswer(history)?.content ?? '');
  const asked = coreQuestion(question);
  const item = referencedItem({ history, question: asked });
  if (item !== null) return narrowToItem(item, candidates);
  if (answer === '' || !isFollowUp(asked)) return candidates;
  const own = ownTerms(asked);
  const countOwn = ({ terms, topic }: Candidate) =>
    own.filter((term) => terms.includes(term) || topic.includes(term)).length;
  // If the question has a pronoun, its other words are about the topic, as in "How much does it cost?".
  const isCovered =
    own.length > 0 && !refersBack(asked) && candidates.some((one) => countOwn(one) === own.length);
  const selected = candidates.filter((candidate) => {
    if (isCovered && countOwn(candidate) === 0) return false;
    const isRepeated = answer.includes(candidate.text.replace(/\.$/, ''));
    return (
      !isRepeated || candidate.kind === 'row' || own.some((term) => candidate.terms.includes(term))
    );
  });
  const isReasonMissing = asksWhy(asked) && !selected.some(({ text }) => reasonPattern.test(text));
  return isReasonMissing ? candidates : selected;
}

const reasonPattern =
  /(?<![\p{L}\p{M}])(?:because|since|therefore|due to|reasons?|weil|denn|deshalb|grund|gründen?|car|parce|en raison|raisons?|porque|debido|motivos?|perché|poiché|motivi|omdat|daarom|wegens|devido)(?![\p{L}\p{M}])/iu;

/** Replaces a candidate that contains the item by a candidate with only this item. */
function narrowToItem(item: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const terms = contentTerms(item);
  return candidates.flatMap((candidate) => {
    if (!candidate.text.includes(item)) return candidate.list === null ? [candidate] : [];
    return [{ ...candidate, text: item, terms, list: null }];
  });
}
