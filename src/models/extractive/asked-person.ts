import { contentTerms, hasUnknownMatch } from '../../text/terms.ts';

/** Whether a question asks for the person who has a position: "Who is the head of IT?", not "Who can vote?". */
export function asksForPerson(question: string): boolean {
  return whoIsPattern.test(question);
}

/** Whether a text contains what may be the name of a person, with a word that the question lacks. */
export function namesPerson(text: string, question: string): boolean {
  return hasUnknownMatch(text, namePattern, new Set(contentTerms(question)));
}

const whoIsPattern =
  /\bwho(?: is|['’]s| was) (?:(?:the|your|our|my|its?) )?(?:[\p{L}-]+ ){0,3}(?:c[efito]o|chief|head|director|manager|president|chair\p{L}*|leader|officer|owner|founder|contact|secretary|spokes\p{L}*|supervisor|lead|coach|editor|mayor|minister|responsible|in charge)\b|(?<!\p{L})wer ist (?:[\p{L}-]+ ){0,3}(?:\p{L}*(?:leiter(?:in)?|chef(?:in)?|führer(?:in)?|vorstand|ansprechpartner(?:in)?)|zuständig|verantwortlich)(?!\p{L})/iu;
/** Two capitalized words inside a sentence, or one after "is", a colon or a dash. */
const namePattern =
  /(?<=[\p{L}\p{Nd},:;”"—|] )\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\.?){0,2} \p{Lu}\p{Ll}+|(?<=(?:\bis|\bwas|\bby|\bist|[:—|]) )\p{Lu}\p{Ll}+(?![\p{L}:])/gu;
