import { mayBeEnglish } from '../../text/detect-language.ts';
import { withoutSourcePhrases } from '../../text/source-phrases.ts';
import { contentTerms, idfWeights } from '../../text/terms.ts';
import { wordAffinity } from '../../text/word-affinity.ts';
import type { Candidate } from './candidate.ts';

/**
 * Weight of a term that is only in the topic of a candidate. Lower than 1, because such a term shows the topic but not
 * the answer.
 */
const topicWeight = 0.6;
/** Weight of a term that is only in the sentence before a candidate. */
const nearWeight = 0.2;

/**
 * Returns a function that computes the share of the question's terms that a candidate contains. Terms are weighted by
 * their inverse document frequency in the candidates.
 */
export function lexicalOverlap(
  question: string,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const weightOf = idfWeights(candidates.map(({ terms, topic }) => [...terms, ...topic]));
  const wanted = [...new Set(contentTerms(withoutSourcePhrases(question)))];
  const total = wanted.reduce((sum, term) => sum + weightOf(term), 0) || 1;
  const findIn = mayBeEnglish(question) ? sameTerm : closestTerm;
  return ({ terms, topic, before }) => {
    const own = findIn(terms);
    const about = findIn(topic);
    const near = findIn(before);
    const found = wanted.map((term) => {
      const share = Math.max(own(term), topicWeight * about(term), nearWeight * near(term));
      return share * weightOf(term);
    });
    return found.reduce((sum, weight) => sum + weight, 0) / total;
  };
}

function sameTerm(terms: readonly string[]): (term: string) => number {
  const known = new Set(terms);
  return (term) => Number(known.has(term));
}

function closestTerm(terms: readonly string[]): (term: string) => number {
  const known = [...new Set(terms)];
  return (term) => Math.max(0, ...known.map((other) => wordAffinity(term, other)));
}
