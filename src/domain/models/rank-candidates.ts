import type { Candidate } from './answer-candidates.ts';
import { wordCount } from './readable.ts';
import { contentTerms, termWeights } from './terms.ts';

export interface RankedCandidate extends Candidate {
  /** 0 to about 1; comparable within one question. */
  readonly score: number;
}

/** Candidates that are compared by meaning, at the most: each costs the embedding model a few milliseconds. */
const maxCompared = 20;

/** Ranks by words, to choose what is worth comparing by meaning. */
export function preselect(question: string, candidates: readonly Candidate[]): RankedCandidate[] {
  const overlap = lexicalOverlap(question, candidates);
  const asked = new Set(contentTerms(question));
  return candidates
    .map((candidate) => ({
      ...candidate,
      score: overlap(candidate) + rankBonus(candidate) + newsBonus(asked, candidate),
    }))
    .sort(byScore)
    .slice(0, maxCompared);
}

/** Ranks by words and by meaning; `similarities` are the cosines of candidates and question. */
export function rank(
  question: string,
  candidates: readonly RankedCandidate[],
  similarities: readonly number[],
): RankedCandidate[] {
  return candidates
    .map((candidate, index) => ({
      ...candidate,
      score:
        candidate.score +
        similarityWeight * (similarities[index] ?? 0) +
        kindBonus(question, candidate) -
        lengthPenalty(candidate),
    }))
    .sort(byScore);
}

function byScore(left: RankedCandidate, right: RankedCandidate): number {
  return right.score - left.score || left.source - right.source || left.position - right.position;
}

const similarityWeight = 1;
/** A word in the heading says that the sentence is about it, not that it tells it. */
const topicWeight = 0.6;

/** The share of the question's words, weighted by their rarity in the sources, that a candidate holds. */
function lexicalOverlap(
  question: string,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const weightOf = termWeights(candidates.map(({ terms, topic }) => [...terms, ...topic]));
  const wanted = [...new Set(contentTerms(question))];
  const total = wanted.reduce((sum, term) => sum + weightOf(term), 0) || 1;
  return ({ terms, topic }) => {
    const own = new Set(terms);
    const about = new Set(topic);
    const found = wanted.map((term) =>
      own.has(term) ? weightOf(term) : about.has(term) ? topicWeight * weightOf(term) : 0,
    );
    return found.reduce((sum, weight) => sum + weight, 0) / total;
  };
}

/** The first sources are the ones the whole question was found in. */
function rankBonus({ source }: Candidate): number {
  return 0.1 / source;
}

/** A sentence that only repeats the question answers nothing. */
function newsBonus(asked: ReadonlySet<string>, { terms }: Candidate): number {
  const news = new Set(terms.filter((term) => !asked.has(term)));
  return 0.1 * Math.min(1, news.size / 8);
}

/** A question for a number, a time or a person is answered by one that it does not hold itself. */
function kindBonus(question: string, { text }: Candidate): number {
  const known = new Set(question.match(/\p{Nd}+/gu));
  const tellsNumber = (text.match(/\p{Nd}+/gu) ?? []).some((number) => !known.has(number));
  return asksNumber.test(question) && tellsNumber ? 0.2 : 0;
}

const asksNumber =
  /\bhow (?:many|much|long|old|far|often|big|large|tall|high|fast)\b|\bwhen\b|\bwhat (?:year|date|time|percent\w*|number|day)\b|\bwann\b|\bwie ?(?:viele?|lange?|hoch|oft|alt|gro(?:ß|ss))\b|\bin welchem jahr\b|cuánt|cuándo|\bcombien\b|\bquand\b|\bquanti?\b|\bquando\b|сколько|когда|в каком году|多少|几|何时|哪一年|什么时候|いくつ|いつ|كم|متى|कितन|कब/iu;

function lengthPenalty({ text }: Candidate): number {
  return Math.max(0, wordCount(text) - 35) * 0.004;
}
