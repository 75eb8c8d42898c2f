import { wordCount } from '../text/readable-text.ts';
import { contentTerms, idfWeights } from '../text/terms.ts';
import type { Candidate } from './answer-candidates.ts';
import { answerTypeBonus } from './answer-type.ts';

export interface RankedCandidate extends Candidate {
  /** Higher is better. Comparable only between candidates for the same question. */
  readonly score: number;
}

/** Maximum number of candidates to embed. Each takes the embedding model a few milliseconds. */
const maxCandidates = 20;
/** Maximum number of items of one list among them, because a list is shown as a whole in most cases. */
const maxItemsPerList = 4;

/** Ranks candidates by words and returns the best ones, for which embeddings are then computed. */
export function preselectCandidates(
  question: string,
  candidates: readonly Candidate[],
): RankedCandidate[] {
  const overlap = lexicalOverlap(question, candidates);
  const asked = new Set(contentTerms(question));
  const typeBonus = answerTypeBonus(question);
  const ranked = candidates
    .map((candidate) => ({
      ...candidate,
      score:
        overlap(candidate) +
        sourceRankBonus(candidate) +
        noveltyBonus(asked, candidate) +
        sameQuestionBonus(asked, candidate) +
        typeBonus(candidate.text),
    }))
    .sort(byScore);
  return ranked.filter(isAmongBestOfList).slice(0, maxCandidates);
}

function isAmongBestOfList(
  { list, source }: RankedCandidate,
  index: number,
  ranked: readonly RankedCandidate[],
): boolean {
  if (list === null) return true;
  const better = ranked
    .slice(0, index)
    .filter((other) => other.source === source && other.list?.list === list.list);
  return better.length < maxItemsPerList;
}

/**
 * Ranks candidates by words and embedding. `similarities` are the cosine similarities of each candidate and the
 * question, in the order of `candidates`.
 */
export function rankCandidates(
  candidates: readonly RankedCandidate[],
  similarities: readonly number[],
): RankedCandidate[] {
  return candidates
    .map((candidate, index) => ({
      ...candidate,
      score:
        candidate.score + similarityWeight * (similarities[index] ?? 0) - lengthPenalty(candidate),
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
  return 0.1 * Math.min(1, novelTerms.size / 8) - (novelTerms.size === 0 ? noNoveltyPenalty : 0);
}

const noNoveltyPenalty = 0.5;

/** Minimum share of common terms of two questions with the same meaning. */
const minSharedQuestion = 0.6;
const sameQuestionWeight = 0.3;

/** If the question is about the same as the question above a candidate, favors the first sentences below it. */
function sameQuestionBonus(
  asked: ReadonlySet<string>,
  { askedAbove, distance }: Candidate,
): number {
  const above = new Set(askedAbove);
  const shared = [...asked].filter((term) => above.has(term)).length;
  const similarity = (2 * shared) / (asked.size + above.size || 1);
  return similarity < minSharedQuestion
    ? 0
    : (sameQuestionWeight * similarity) / (1 + Math.max(0, distance));
}

function lengthPenalty({ text }: Candidate): number {
  return Math.max(0, wordCount(text) - 35) * 0.004;
}
