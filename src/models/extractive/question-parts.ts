import { contentTerms } from '../../text/terms.ts';
import { type RankedCandidate, scoreByWords } from './rank-candidates.ts';

/**
 * Splits a question such as "What is a ticket and where is the pool?" into its parts. Returns the question unchanged if
 * it has only one part.
 */
export function questionParts(question: string): string[] {
  const [, left, right] = thanPattern.exec(question) ?? [];
  if (left !== undefined && right !== undefined) return [left, right];
  const compared = alternatives.exec(question);
  const stem = question.slice(0, compared?.index ?? 0);
  if (compared !== null && comparison.test(stem)) {
    return compared.slice(1).map((name) => `${stem} ${name}`);
  }
  const parts = question.split(partBoundary).map((part) => part.trim());
  const areQuestions = parts.every((part) => part.split(/\s+/).length >= minWords);
  return areQuestions && parts.length <= maxParts ? parts : [question];
}

/** Matches "Is the mill walk cheaper than the ghost lane?". */
const thanPattern =
  /^(?:is|are|does|do|ist|sind) ([^?]{3,60}?) (?:(?:cost )?(?:more|less)(?: \p{L}{2,20})?|(?!rather|other|later|sooner)\p{L}{3,15}er) (?:than|als) ([^?]{3,60})\?*$/iu;

/** Matches what "Which costs more, the sauna or a bicycle?" compares, after the question for it. */
const alternatives = /[,:] ([^,:?]{2,60}) (?:or|oder|ou) ([^,:?]{2,60})\??$/iu;
const comparison =
  /^(?:which|what|who|welche[rs]?|was|wer|quel(?:le)?)(?!\p{L}).{0,80}(?<!\p{L})(?:more|less|fewer|mehr|weniger|plus|moins|\p{L}{2,15}er)(?!\p{L})/iu;

const minWords = 3;
const maxParts = 3;
const partBoundary =
  /\?\s{1,3}(?:(?:and|und|et)\s{1,3})?(?=\S)|[,;?]?\s{1,3}(?:and|und|et|&)\s{1,3}(?=(?:(?:by|from|until|for|since|in|at|on|with|to|ab|bis|seit|mit|in|zu|à|de|avec) )?(?:what|which|how|where|when|who|whom|whose|why|is|are|can|could|do|does|did|must|may|will|was|were|wie|wo|wann|wer|was|welche[rsnm]?|warum|kann|muss|ist|sind|gibt|quel(?:le)?s?|combien|quand|où|comment|qui|que)(?:['’]?s)?\s)/iu;

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
    const all = scoreByWords(part, ranked).map((candidate, index) => {
      const known = countKnownTerms(part, candidate);
      const score = candidate.score + meaningWeight * (meaning[index] ?? 0) + termBonus * known;
      return { candidate, score, known };
    });
    // Another document answers a part only if it contains more of its words than that of the best text.
    const isOwn = ({ candidate }: (typeof all)[number]) =>
      candidate.documentId === first?.documentId;
    const ofOwn = Math.max(0, ...all.filter(isOwn).map(({ known }) => known));
    const scored = all.filter((one) => isOwn(one) || one.known > ofOwn);
    const highest = scored.toSorted((one, other) => other.score - one.score)[0];
    const ofWhole = scored[0];
    if (highest === undefined || ofWhole === undefined) return [];
    const isEnough =
      ofWhole.score >= highest.score - minGain && ofWhole.known >= Math.max(1, highest.known);
    const best = isEnough ? ofWhole : highest;
    return best.known > 0 ? [best.candidate] : nextOfSection(ranked);
  });
  const distinct = found.filter(
    (one, index) =>
      !found.some(
        (other, at) => other.text.includes(one.text) && (other.text !== one.text || at < index),
      ),
  );
  return distinct.length > 1 ? distinct : [];
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

/** Lower than 1, because the meaning is that of the whole question. */
const meaningWeight = 0.5;
/** Added for each word of the part. */
const termBonus = 0.12;

/** Minimum by which another text must be better for a part. Otherwise the best text for the whole question is used. */
const minGain = 0.4;

/** Returns how many terms of a part a candidate or its headings contain. */
function countKnownTerms(part: string, { terms, topic }: RankedCandidate): number {
  const known = new Set([...terms, ...topic]);
  return new Set(contentTerms(part).filter((term) => known.has(term))).size;
}
