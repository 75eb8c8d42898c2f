import { earlierMessageTitle } from '../../../text/earlier-message.ts';
import { foldedWords } from '../../../text/terms.ts';
import type { Hit } from './hybrid-search.ts';

type Passage = Pick<Hit, 'content' | 'context' | 'score' | 'documentId' | 'startOffset'>;

/** Factor of the score of an earlier message, for each newer message that fits the query nearly as well. */
const earlierWeight = 0.6;
/** A message in a long thread can still be found. */
const minWeight = earlierWeight ** 3;
/** Minimum score of the best newer passage, as a share of the score. Below it, an earlier message is the answer. */
const minNewerShare = 0.5;
/** Shorter paragraphs, such as greetings, do not show that one message quotes another. */
const minWords = 6;

/** The place of a message in an e-mail: 0 for what the sender wrote, then the quoted messages from new to old. */
interface Place {
  readonly documentId: string;
  readonly age: number;
}

/**
 * Returns a function that computes the factor of a hit's score. It is below 1 for a message that an e-mail among the
 * hits quotes, both where it is quoted and where it is an e-mail of its own: what the e-mail has above it is newer.
 */
export function earlierMessageWeights(hits: readonly Passage[]): (hit: Passage) => number {
  const placeOf = new Map(threadsOf(hits).flatMap(placesInThread));
  if (placeOf.size === 0) return () => 1;
  const scores = bestScores(placeOf);
  const quoted = quotedParagraphs(placeOf);
  const countNewer = (hit: Passage, { documentId, age }: Place) =>
    (scores.get(documentId) ?? [])
      .slice(0, age)
      .filter((score) => score > 0 && score >= minNewerShare * hit.score).length;
  return (hit) => {
    const own = placeOf.get(hit);
    const copies = paragraphsOf(hit).flatMap((paragraph) => quoted.get(paragraph) ?? []);
    const places = own === undefined ? copies : [own, ...copies];
    const newer = places.reduce((most, place) => Math.max(most, countNewer(hit, place)), 0);
    return Math.max(minWeight, earlierWeight ** newer);
  };
}

/** Returns the hits of each document that quotes a message, in the order of the document. */
function threadsOf(hits: readonly Passage[]): Passage[][] {
  const threads = Map.groupBy(hits, ({ documentId }) => documentId);
  return [...threads.values()]
    .filter((thread) => thread.some((hit) => titleOf(hit) !== null))
    .map((thread) => thread.toSorted((left, right) => left.startOffset - right.startOffset));
}

function placesInThread(thread: readonly Passage[]): [Passage, Place][] {
  let last: string | null = null;
  let oldest = 0;
  return thread.map((hit) => {
    const title = titleOf(hit);
    if (title !== null && title !== last) {
      oldest += 1;
      last = title;
    }
    return [hit, { documentId: hit.documentId, age: title === null ? 0 : oldest }];
  });
}

/** Returns the best score of each message of a document, from new to old. */
function bestScores(placeOf: ReadonlyMap<Passage, Place>): Map<string, number[]> {
  const scores = new Map<string, number[]>();
  for (const [{ score }, { documentId, age }] of placeOf) {
    const known = scores.get(documentId) ?? [];
    while (known.length <= age) known.push(0);
    known[age] = Math.max(known[age] ?? 0, score);
    scores.set(documentId, known);
  }
  return scores;
}

function quotedParagraphs(placeOf: ReadonlyMap<Passage, Place>): Map<string, Place[]> {
  const quoted = new Map<string, Place[]>();
  for (const [hit, place] of placeOf) {
    if (place.age === 0) continue;
    for (const paragraph of paragraphsOf(hit)) {
      const places = quoted.get(paragraph);
      if (places === undefined) quoted.set(paragraph, [place]);
      else places.push(place);
    }
  }
  return quoted;
}

function titleOf({ content, context }: Passage): string | null {
  return earlierMessageTitle(content, context);
}

function paragraphsOf({ content }: Passage): string[] {
  return content.split('\n\n').flatMap((paragraph) => {
    const words = foldedWords(paragraph);
    return words.length < minWords ? [] : [words.join(' ')];
  });
}
