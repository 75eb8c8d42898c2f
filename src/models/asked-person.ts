import { contentTerms } from '../text/terms.ts';

/** Whether a question asks for the person who has a position: "Who is the head of IT?", not "Who can vote?". */
export function asksForPerson(question: string): boolean {
  return whoIsPattern.test(question);
}

/**
 * Whether a text contains what may be the name of a person: a capitalized word inside a sentence that the question does
 * not contain, and that is no abbreviation.
 */
export function namesPerson(text: string, question: string): boolean {
  const known = new Set(contentTerms(question));
  return [...text.matchAll(namePattern)].some(([name]) =>
    contentTerms(name).some((term) => !known.has(term)),
  );
}

const whoIsPattern =
  /\bwho(?: is|['’]s| was) (?:the|your|our|my|its?|in charge)\b|(?<!\p{L})wer ist (?:der|die|euer|eure|unser|unsere|ihr|ihre|für)(?!\p{L})/iu;
const namePattern = /(?<=[\p{L}\p{Nd},:;”"—|] )\p{Lu}\p{Ll}+/gu;
