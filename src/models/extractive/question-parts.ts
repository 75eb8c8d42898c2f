import { contentTerms } from '../../text/terms.ts';
import { type RankedCandidate, scoreByWords } from './rank-candidates.ts';

/**
 * Splits a question such as "What is a ticket and where is the pool?" into its parts. Returns the question unchanged if
 * it has only one part.
 */
export function questionParts(question: string): string[] {
  const parts = question.split(partBoundary).map((part) => part.trim());
  const areQuestions = parts.every((part) => part.split(/\s+/).length >= minWords);
  return areQuestions && parts.length <= maxParts ? parts : [question];
}

const minWords = 3;
const maxParts = 3;
const partBoundary =
  /[,;?]?\s{1,3}(?:and|und|et|&)\s{1,3}(?=(?:(?:by|from|until|for|since|in|at|on|with|to|ab|bis|seit|mit|in|zu|à|de|avec) )?(?:what|which|how|where|when|who|whom|whose|why|is|are|can|could|do|does|did|must|may|will|was|were|wie|wo|wann|wer|was|welche[rsnm]?|warum|kann|muss|ist|sind|gibt|quel(?:le)?s?|combien|quand|où|comment|qui|que)(?:['’]?s)?\s)/iu;

/**
 * Returns the best candidate for each part of a question, in order. Leaves out a part if its best candidate contains no
 * word of it. Returns an empty list if the question has only one part, or if one candidate is the best for all parts.
 * `ranked` are the candidates, ranked for the whole question.
 */
export function bestOfParts(
  question: string,
  ranked: readonly RankedCandidate[],
): RankedCandidate[] {
  const parts = questionParts(question);
  const [first] = ranked;
  if (parts.length === 1) return [];
  const whole = scoreByWords(question, ranked);
  // The part of each score that comes from the embedding and the reader. Both judged the whole question.
  const meaning = ranked.map(({ score }, index) => score - (whole[index]?.score ?? 0));
  const found = parts.flatMap((part) => {
    const scores = scoreByWords(part, ranked).map(({ score }, at) => score + (meaning[at] ?? 0));
    const highest = Math.max(...scores);
    const isFirstEnough =
      (scores[0] ?? 0) >= highest - minGain && first !== undefined && hasTermsOf(part, first);
    const best = ranked[isFirstEnough ? 0 : scores.indexOf(highest)];
    return best !== undefined && hasTermsOf(part, best) ? [best] : nextOfSection(ranked);
  });
  const distinct = new Map(found.map((one) => [one.text, one]));
  return distinct.size > 1 ? [...distinct.values()] : [];
}

/**
 * Returns the next best text of the section with the best one, for a part in other words: "What is included, and what do
 * I pay when I drive more than that?"
 */
function nextOfSection([first, ...others]: readonly RankedCandidate[]): RankedCandidate[] {
  const next = others.find(
    ({ source, section }) => source === first?.source && section === first.section,
  );
  return next === undefined ? [] : [next];
}

/** Minimum by which another text must be better for a part. Otherwise the best text for the whole question is used. */
const minGain = 0.4;

function hasTermsOf(part: string, { terms, topic }: RankedCandidate): boolean {
  const known = new Set([...terms, ...topic]);
  return contentTerms(part).some((term) => known.has(term));
}
