import { endsSentence } from '../../text/readable-text.ts';
import { contentTerms } from '../../text/terms.ts';
import { asksForConfirmation, asksForSteps, isNegated } from './answer-type.ts';
import type { Candidate } from './candidate.ts';
import { formPenalty } from './form-penalty.ts';

/**
 * Removes candidates that cannot be an answer. `written` is the question as the user wrote it. Candidates that only
 * repeat it are removed.
 */
export function usefulCandidates(
  question: string,
  written: string,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const texts = withoutForms(question, withoutRepetitions(written, candidates));
  return asksForSteps(question) ? withoutSymptoms(texts) : texts;
}

/**
 * Removes sentences that only repeat the question, unless the question can be answered with yes or no. A word that
 * occurs more often than in the question counts as new: "Mercury drives the mercury turbine" answers "What drives the
 * mercury turbine?". A negation also counts as new.
 */
function withoutRepetitions(
  question: string,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (asksForConfirmation(question)) return candidates;
  const asked = contentTerms(question);
  const isQuestionNegated = isNegated(question);
  const isInformative = ({ terms, text }: Candidate) => {
    if (!isQuestionNegated && isNegated(text)) return true;
    const counts = new Map<string, number>();
    for (const term of asked) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) - 1);
    return [...counts.values()].some((count) => count < 0);
  };
  // A repetition of the question names the topic of the text after it, like a heading: "The lamp is red. Check …".
  const informative = candidates.flatMap((candidate, index) => {
    if (!isInformative(candidate)) return [];
    const before = candidates[index - 1];
    // `candidate.before` is empty for the first sentence of a paragraph.
    const isInParagraph = before?.source === candidate.source && candidate.before.length > 0;
    const isBelow = isInParagraph && endsSentence(before.text) && !isInformative(before);
    return [isBelow ? { ...candidate, askedAbove: before.terms, distance: 0 } : candidate];
  });
  return informative.length > 0 ? informative : candidates;
}

/** Removes texts of forms if the question does not ask for their content. Keeps them if there is no other text. */
function withoutForms(question: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const penaltyOf = formPenalty(question);
  const others = candidates.filter(({ isForm, text }) => !isForm || penaltyOf(text) === 0);
  return others.length > 0 ? others : candidates;
}

/**
 * For a question that asks for steps: removes texts about what users see or do before these steps, such as an error
 * message or the question of a FAQ entry. Keeps them if there is no other text.
 */
function withoutSymptoms(candidates: readonly Candidate[]): readonly Candidate[] {
  const others = candidates.filter(({ text }) => !symptomPattern.test(text));
  return others.length > 0 ? others : candidates;
}

const symptomPattern =
  /^(?:when )?(?:I (?:get|got|see|have|am|cannot|can['’]t|tried|keep)|my \p{L}{1,30} (?:is|does|keeps))\b|^(?:[A-Z]\w{0,40})?(?:Error|Exception|Fehler): |\bTraceback \(/u;
