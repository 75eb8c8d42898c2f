import { isEarlierMessage } from '../../../text/earlier-message.ts';
import { foldedWords } from '../../../text/terms.ts';
import type { Hit } from './hybrid-search.ts';

type Passage = Pick<Hit, 'content' | 'context' | 'score'>;

/** Factor of the score of an earlier message, if a newer one fits the query nearly as well. */
const earlierWeight = 0.6;
/** Minimum score of the best newer passage, as a share of the best score. Below it, an earlier message is the answer. */
const minNewerShare = 0.5;
/** Shorter paragraphs, such as greetings, do not show that one message quotes another. */
const minWords = 6;

/**
 * Returns a function that computes the factor of a hit's score. It is below 1 for a message that an e-mail among the
 * hits quotes, both where it is quoted and where it is an e-mail of its own: the e-mail that quotes it is newer.
 */
export function earlierMessageWeights(hits: readonly Passage[]): (hit: Passage) => number {
  const quoted = new Set(hits.filter(isQuoted).flatMap(paragraphsOf));
  if (quoted.size === 0) return () => 1;
  const isEarlier = (hit: Passage) =>
    isQuoted(hit) || paragraphsOf(hit).some((paragraph) => quoted.has(paragraph));
  const earlier = new Set(hits.filter(isEarlier));
  const best = Math.max(...hits.map(({ score }) => score));
  const newest = Math.max(0, ...hits.flatMap((hit) => (earlier.has(hit) ? [] : [hit.score])));
  if (newest < minNewerShare * best) return () => 1;
  return (hit) => (isEarlier(hit) ? earlierWeight : 1);
}

function isQuoted({ content, context }: Passage): boolean {
  return isEarlierMessage(content, context);
}

function paragraphsOf({ content }: Passage): string[] {
  return content.split('\n\n').flatMap((paragraph) => {
    const words = foldedWords(paragraph);
    return words.length < minWords ? [] : [words.join(' ')];
  });
}
