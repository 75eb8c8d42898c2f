import { wordCount } from '../text/readable-text.ts';
import { contentTerms, idfWeights } from '../text/terms.ts';
import type { Candidate } from './answer-candidates.ts';

export interface RankedCandidate extends Candidate {
  /** Higher is better. Comparable only between candidates for the same question. */
  readonly score: number;
}

/** Maximum number of candidates to embed. Each takes the embedding model a few milliseconds. */
const maxCandidates = 20;

/** Ranks candidates by words and returns the best ones, for which embeddings are then computed. */
export function preselectCandidates(
  question: string,
  candidates: readonly Candidate[],
): RankedCandidate[] {
  const overlap = lexicalOverlap(question, candidates);
  const asked = new Set(contentTerms(question));
  return candidates
    .map((candidate) => ({
      ...candidate,
      score: overlap(candidate) + sourceRankBonus(candidate) + noveltyBonus(asked, candidate),
    }))
    .sort(byScore)
    .slice(0, maxCandidates);
}

/**
 * Ranks candidates by words and embedding. `similarities` are the cosine similarities of each candidate and the
 * question, in the order of `candidates`.
 */
export function rankCandidates(
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
        answerTypeBonus(question, candidate) -
        lengthPenalty(candidate),
    }))
    .sort(byScore);
}

function byScore(left: RankedCandidate, right: RankedCandidate): number {
  return right.score - left.score || left.source - right.source || left.position - right.position;
}

const similarityWeight = 1;
/**
 * Weight of a term found only in the topic of a candidate. Lower than 1, because it shows the topic but not the answer.
 */
const topicWeight = 0.6;

/**
 * Returns a function that computes which share of the question's terms a candidate contains. Terms are weighted by
 * their inverse document frequency in the sources.
 */
function lexicalOverlap(
  question: string,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const weightOf = idfWeights(candidates.map(({ terms, topic }) => [...terms, ...topic]));
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

/** Favors sources that retrieval ranked first. */
function sourceRankBonus({ source }: Candidate): number {
  return 0.1 / source;
}

/** Favors new words, because a sentence that only repeats the question does not answer it. */
function noveltyBonus(asked: ReadonlySet<string>, { terms }: Candidate): number {
  const novelTerms = new Set(terms.filter((term) => !asked.has(term)));
  return 0.1 * Math.min(1, novelTerms.size / 8);
}

/** If the question asks for a number or a time, favors candidates with a number that the question does not contain. */
function answerTypeBonus(question: string, { text }: Candidate): number {
  const known = new Set(question.match(/\p{Nd}+/gu));
  const hasNewNumber = (text.match(/\p{Nd}+/gu) ?? []).some((number) => !known.has(number));
  return numberQuestionPattern.test(question) && hasNewNumber ? 0.2 : 0;
}

const numberQuestionPattern =
  /\bhow (?:many|much|long|old|far|often|big|large|tall|high|fast)\b|\bwhen\b|\bwhat (?:year|date|time|percent\w*|number|day)\b|\bwann\b|\bwie ?(?:viele?|lange?|hoch|oft|alt|gro(?:ß|ss))\b|\bin welchem jahr\b|cuánt|cuándo|\bcombien\b|\bquand\b|\bquanti?\b|\bquando\b|сколько|когда|в каком году|多少|几|何时|哪一年|什么时候|いくつ|いつ|كم|متى|कितन|कब/iu;

function lengthPenalty({ text }: Candidate): number {
  return Math.max(0, wordCount(text) - 35) * 0.004;
}
