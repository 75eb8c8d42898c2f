import { detectLanguage, type Language } from '../../text/detect-language.ts';
import { areAllKnown, contentTerms, isNumber } from '../../text/terms.ts';
import { fold } from '../../text/tokenize.ts';
import { asksWhatInGerman, isNegated } from './answer-type.ts';

/** A passage that may answer a yes/no question. */
interface Passage {
  readonly text: string;
  readonly kind: 'sentence' | 'list' | 'steps' | 'row';
  /** Terms of the headings above the text. */
  readonly topic: readonly string[];
}

/**
 * Returns "Yes." or "No." if the passage decides the question. Returns null otherwise. Knows English and German.
 *
 * - If the passage contains enough words of the question (`minAffirmed`, `minNegated`, `minRequired`) and no condition,
 *   the answer is "Yes." if question and passage are both negated or both not, and "No." if only the passage is negated.
 * - If the passage says that something holds only for one thing, and the question also names another thing, the answer
 *   is "No."
 */
export function yesNoLead(question: string, passage: Passage): string | null {
  const words = leads[detectLanguage(question) ?? 'en'];
  if (words === undefined || passage.kind !== 'sentence' || !isYesNoQuestion(question)) return null;
  if (startsWithVerdict.test(passage.text)) return null;
  const isYes = decide(question, passage);
  if (isYes === null) return null;
  return isYes ? words.yes : words.no;
}

/** Matches a text that begins with "yes" or "no". */
export const startsWithVerdict = /^(?:yes|no|ja|nein)[.,!]/iu;

const leads: Partial<Record<Language, { readonly yes: string; readonly no: string }>> = {
  en: { yes: 'Yes.', no: 'No.' },
  de: { yes: 'Ja.', no: 'Nein.' },
};

/** Minimum share of the question's words that a passage must contain to affirm the question. */
const minAffirmed = 0.85;
/**
 * The same for a passage that negates the question. Lower, because a document that forbids something is seldom about
 * something else.
 */
const minNegated = 0.75;
/** Minimum share for a negating passage if the question has at least `manyTerms` words. */
const minNegatedOfMany = 0.66;
const manyTerms = 5;
/** The same if the question asks whether something is required and the passage says that it is. */
const minRequired = 0.6;

function decide(question: string, { text, topic }: Passage): boolean | null {
  const own = new Set(termsOf(text));
  const wanted = [...new Set(termsOf(question.replace(permissionVerb, ' ')))];
  const found = wanted.filter((term) => own.has(term));
  if (found.length === 0) return null;
  if (onlyPattern.test(text)) {
    return namesOther(question, own) && !classPattern.test(text) ? false : null;
  }
  if (conditionPattern.test(text)) return null;
  const known = new Set([...own, ...topic]);
  const written = fold(text);
  // The text "fromPglite" also contains the name PGlite.
  const missing = wanted.filter((term) => !known.has(term) && !written.includes(term));
  const names = new Set(namesOf(question).flat());
  // "not open on Mondays" does not answer "Open on Sundays?".
  if (missing.some((term) => names.has(term) || isNumber(term))) return null;
  const share = 1 - missing.length / wanted.length;
  if (isNegated(question) !== isNegated(text)) {
    const min = wanted.length < manyTerms ? minNegated : minNegatedOfMany;
    return !isNegated(question) && share >= min ? false : null;
  }
  // A single word of the question may be only the subject, such as "smoking" in "Smoking areas are marked".
  if (found.length < 2) {
    return missing.length === 0 && isAllowed(question, found, text) ? true : null;
  }
  if (dutyPattern.test(question))
    return dutyPattern.test(text) && share >= minRequired ? true : null;
  const isPermitted = !permissionPattern.test(question) || permissionPattern.test(text);
  return share >= minAffirmed && isPermitted ? true : null;
}

/** Whether a text such as "Dogs are welcome" affirms a question such as "Can I bring my dog?". */
function isAllowed(question: string, subject: readonly string[], text: string): boolean {
  const allowed = allowedPattern.exec(text)?.groups?.subject ?? '';
  return permissionPattern.test(question) && areAllKnown(subject, new Set(termsOf(allowed)));
}

/**
 * Returns the terms of a text, without words of permission and negation. All expressions for "every year" become one
 * word.
 */
function termsOf(text: string): string[] {
  return contentTerms(text.replace(everyYear, ' annually ')).filter(
    (term) => !emptyTerms.has(term),
  );
}

/** Whether the question names one thing that is in the passage and another thing that is not. */
function namesOther(question: string, own: ReadonlySet<string>): boolean {
  const names = namesOf(question);
  const isOwn = (terms: readonly string[]) => areAllKnown(terms, own);
  return names.some(isOwn) && names.some((terms) => terms.length > 0 && !isOwn(terms));
}

/** Returns the terms of each capitalized word, except the first word of the question. */
function namesOf(question: string): string[][] {
  return [...question.matchAll(namePattern)].map(([name]) => termsOf(name));
}

function isYesNoQuestion(question: string): boolean {
  return clauseStart.test(question) && !otherQuestion.test(question) && !asksWhatInGerman(question);
}

const clauseStart =
  /(?:^|[.!?;,:–—-]\s{1,3})(?:(?:and|so|but|hi|hello),? )?(?:is|are|was|were|do|does|did|can|could|may|must|should|would|will|has|have|am|ist|sind|kann|können|darf|dürfen|muss|müssen|gibt|hat|haben|wird|werden)(?:n['’]t)?\s/iu;
/** Matches questions that cannot be answered with yes or no. */
const otherQuestion =
  /\b(?:what|which|who|whom|whose|where|when|why|how|or)\b|(?<!\p{L})(?:welche[rsmn]?|wer|wo|wann|warum|wie|oder)(?!\p{L})/iu;
const namePattern = /(?<=\S\s)\p{Lu}[\p{L}\p{Nd}]+/gu;
/** Matches "only on Windows" and "only PostgreSQL". */
const onlyPattern =
  /\b(?:only|solely|exclusively) (?:(?:on|for|with|by|in|from|the|to) ){0,2}\p{Lu}|(?<!\p{L})(?:nur|ausschließlich) (?:(?:auf|für|mit|in|von|unter) )?\p{Lu}/u;
/**
 * Matches "only" with the name of a class. The question may name a member of the class: Ubuntu for "only on Linux",
 * France for "only in Europe".
 */
const classPattern =
  /\b(?:only|solely|exclusively|nur|ausschließlich) (?:(?:on|for|with|by|in|from|the|to|auf|für|mit|von|unter) ){0,2}(?:Linux|Unix|POSIX|Apple|Google|Microsoft|Android|EU|Europ\p{L}{1,4}|UK|US|USA|America|United|Asia|Africa|Western|Eastern|Northern|Southern)(?!\p{L})/u;
const conditionPattern =
  /\b(?:if|when|unless|until|may|might|some|sometimes|certain|depend\w*|except\w*|however|but|usually|generally|provided|subject to|up to|at least|at most|only)\b|(?<!\p{L})(?:wenn|falls|sofern|außer|manche|teilweise|bis zu|mindestens|höchstens|aber|jedoch|nur)(?!\p{L})/iu;
const permissionPattern =
  /\b(?:allow\w*|permi\w*|possible|may|can|could|welcome|able)\b|(?<!\p{L})(?:erlaubt|gestattet|möglich|darf|dürfen|kann|können|willkommen)(?!\p{L})/iu;
/** Matches "Dogs are allowed". The subject is in the group `subject`. */
const allowedPattern =
  /^(?<subject>(?:\p{L}+ ){1,3})(?:is|are|sind|ist) (?:allowed|permitted|welcome|erlaubt|gestattet|willkommen)(?!\p{L})/iu;
const dutyPattern =
  /\b(?:must|(?:have|has|need|needs) to|required?|requires|mandatory|obliged)\b|(?<!\p{L})(?:muss|müssen|vorgeschrieben|verpflichtend|pflicht)(?!\p{L})/iu;
/** Matches the verb in "Can I bring a dog", because this question asks whether dogs are allowed. */
const permissionVerb =
  /(?<=\b(?:can|may|could) (?:i|we) )(?:please )?(?:bring|take|have|use|keep|get)\b/giu;
const everyYear = /\b(?:every|each|once a|per) year\b|\byearly\b/giu;
const emptyTerms: ReadonlySet<string> = new Set(
  contentTerms(
    'allowed allow permitted possible able need required must without cannot never erlaubt gestattet möglich darf dürfen können ohne',
  ),
);
