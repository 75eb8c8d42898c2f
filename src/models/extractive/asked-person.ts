import { contentTerms, hasUnknownMatch } from '../../text/terms.ts';

/** Whether a question asks which person has a position. "Who is the head of IT?" does, "Who can vote?" does not. */
export function asksForPerson(question: string): boolean {
  return whoIsPattern.test(question);
}

/** Whether a text seems to contain the name of a person. The name must contain a word that is not in the question. */
export function namesPerson(text: string, question: string): boolean {
  return hasUnknownMatch(text, namePattern, new Set(contentTerms(question)));
}

const whoIsPattern =
  /\bwho(?: is|['’]s| was) (?:(?:the|your|our|my|its?) )?(?:[\p{L}-]+ ){0,3}(?:c[efito]o|chief|head|director|manager|president|chair\p{L}*|leader|officer|owner|founder|contact|secretary|spokes\p{L}*|supervisor|lead|coach|editor|mayor|minister|responsible|in charge)\b|(?<!\p{L})wer ist (?:[\p{L}-]+ ){0,3}(?:\p{L}*(?:leiter(?:in)?|chef(?:in)?|führer(?:in)?|vorstand|ansprechpartner(?:in)?)|zuständig|verantwortlich)(?!\p{L})/iu;
/** Matches two capitalized words inside a sentence, or one capitalized word after "is", a colon or a dash. */
const namePattern =
  /(?<=[\p{L}\p{Nd},:;”"—|] )\p{Lu}\p{Ll}+(?:[ -]\p{Lu}\.?){0,2} \p{Lu}\p{Ll}+|(?<=(?:\bis|\bwas|\bby|\bist|[:—|]) )\p{Lu}\p{Ll}+(?![\p{L}:])/gu;
