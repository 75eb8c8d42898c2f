import { detectLanguage, type Language } from '../../text/detect-language.ts';
import { areAllKnown, contentTerms, isNumber } from '../../text/terms.ts';
import { fold } from '../../text/tokenize.ts';
import { isNegated } from './answer-type.ts';

/** A passage that may decide a question. */
interface Passage {
  readonly text: string;
  readonly kind: 'sentence' | 'list' | 'steps' | 'row';
  /** Terms of the headings above the text. */
  readonly topic: readonly string[];
}

/**
 * Returns "Yes." or "No." if the passage decides the question, else null. It decides if it contains nearly all words of
 * the question, affirmed or negated as in the question or not, without a condition; or if it names the only thing for
 * which something holds, and the question names another. Knows English and German.
 */
export function yesNoLead(question: string, passage: Passage): string | null {
  const words = leads[detectLanguage(question) ?? 'en'];
  if (words === undefined || passage.kind !== 'sentence' || !isYesNoQuestion(question)) return null;
  const isYes = decide(question, passage);
  if (isYes === null) return null;
  return isYes ? words.yes : words.no;
}

const leads: Partial<Record<Language, { readonly yes: string; readonly no: string }>> = {
  en: { yes: 'Yes.', no: 'No.' },
  de: { yes: 'Ja.', no: 'Nein.' },
};

/** Minimum share of the words of the question in a passage that affirms it. */
const minAffirmed = 0.85;
/** The same for one that negates it: what a document forbids is seldom something else. */
const minNegated = 0.75;
/** The same for a question with many words. */
const minNegatedOfMany = 0.66;
const manyTerms = 5;
/** The same if the question is whether one must, and the passage says that one must. */
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
  // "fromPglite" contains the name PGlite.
  const missing = wanted.filter((term) => !known.has(term) && !written.includes(term));
  const names = new Set(namesOf(question).flat());
  // "Open on Sundays?" is not decided by "not open on Mondays".
  if (missing.some((term) => names.has(term) || isNumber(term))) return null;
  const share = 1 - missing.length / wanted.length;
  if (isNegated(question) !== isNegated(text)) {
    const min = wanted.length < manyTerms ? minNegated : minNegatedOfMany;
    return !isNegated(question) && share >= min ? false : null;
  }
  // One word of the question is its subject only, such as "smoking" in "Smoking areas are marked".
  if (found.length < 2) {
    return missing.length === 0 && isAllowed(question, found, text) ? true : null;
  }
  if (dutyPattern.test(question))
    return dutyPattern.test(text) && share >= minRequired ? true : null;
  const isPermitted = !permissionPattern.test(question) || permissionPattern.test(text);
  return share >= minAffirmed && isPermitted ? true : null;
}

/** "Can I bring my dog?" is affirmed by "Dogs are welcome". */
function isAllowed(question: string, subject: readonly string[], text: string): boolean {
  const allowed = allowedPattern.exec(text)?.groups?.subject ?? '';
  return permissionPattern.test(question) && areAllKnown(subject, new Set(termsOf(allowed)));
}

/** Returns the terms of a text without words of permission and negation, and with one word for "every year". */
function termsOf(text: string): string[] {
  return contentTerms(text.replace(everyYear, ' annually ')).filter(
    (term) => !emptyTerms.has(term),
  );
}

/** Whether the question names a thing that the passage has, and another one that it lacks. */
function namesOther(question: string, own: ReadonlySet<string>): boolean {
  const names = namesOf(question);
  const isOwn = (terms: readonly string[]) => areAllKnown(terms, own);
  return names.some(isOwn) && names.some((terms) => terms.length > 0 && !isOwn(terms));
}

/** Returns the terms of each capitalized word after the first one. */
function namesOf(question: string): string[][] {
  return [...question.matchAll(namePattern)].map(([name]) => termsOf(name));
}

function isYesNoQuestion(question: string): boolean {
  return clauseStart.test(question) && !otherQuestion.test(question);
}

const clauseStart =
  /(?:^|[.!?;,:–—-]\s{1,3})(?:(?:and|so|but|hi|hello),? )?(?:is|are|was|were|do|does|did|can|could|may|must|should|would|will|has|have|am|ist|sind|kann|können|darf|dürfen|muss|müssen|gibt|hat|haben|wird|werden)(?:n['’]t)?\s/iu;
/** A question for something else than yes or no. */
const otherQuestion =
  /\b(?:what|which|who|whom|whose|where|when|why|how|or)\b|(?<!\p{L})(?:welche[rsmn]?|wer|wo|wann|warum|wie|oder)(?!\p{L})/iu;
const namePattern = /(?<=\S\s)\p{Lu}[\p{L}\p{Nd}]+/gu;
/** "only on Windows", "only PostgreSQL". */
const onlyPattern =
  /\b(?:only|solely|exclusively) (?:(?:on|for|with|by|in|from|the|to) ){0,2}\p{Lu}|(?<!\p{L})(?:nur|ausschließlich) (?:(?:auf|für|mit|in|von|unter) )?\p{Lu}/u;
/** Names of a class, of which the question may name a member: "only on Linux" for Ubuntu, "only in Europe" for France. */
const classPattern =
  /\b(?:only|solely|exclusively|nur|ausschließlich) (?:(?:on|for|with|by|in|from|the|to|auf|für|mit|von|unter) ){0,2}(?:Linux|Unix|POSIX|Apple|Google|Microsoft|Android|EU|Europ\p{L}{1,4}|UK|US|USA|America|United|Asia|Africa|Western|Eastern|Northern|Southern)(?!\p{L})/u;
const conditionPattern =
  /\b(?:if|when|unless|until|may|might|some|sometimes|certain|depend\w*|except\w*|however|but|usually|generally|provided|subject to|up to|at least|at most|only)\b|(?<!\p{L})(?:wenn|falls|sofern|außer|manche|teilweise|bis zu|mindestens|höchstens|aber|jedoch|nur)(?!\p{L})/iu;
const permissionPattern =
  /\b(?:allow\w*|permi\w*|possible|may|can|could|welcome|able)\b|(?<!\p{L})(?:erlaubt|gestattet|möglich|darf|dürfen|kann|können|willkommen)(?!\p{L})/iu;
/** Matches "Dogs are allowed", with the subject in a group. */
const allowedPattern =
  /^(?<subject>(?:\p{L}+ ){1,3})(?:is|are|sind|ist) (?:allowed|permitted|welcome|erlaubt|gestattet|willkommen)(?!\p{L})/iu;
const dutyPattern =
  /\b(?:must|(?:have|has|need|needs) to|required?|requires|mandatory|obliged)\b|(?<!\p{L})(?:muss|müssen|vorgeschrieben|verpflichtend|pflicht)(?!\p{L})/iu;
/** "Can I bring a dog" asks whether dogs are allowed. */
const permissionVerb =
  /(?<=\b(?:can|may|could) (?:i|we) )(?:please )?(?:bring|take|have|use|keep|get)\b/giu;
const everyYear = /\b(?:every|each|once a|per) year\b|\byearly\b/giu;
const emptyTerms: ReadonlySet<string> = new Set(
  contentTerms(
    'allowed allow permitted possible able need required must without cannot never erlaubt gestattet möglich darf dürfen können ohne',
  ),
);
