import { contentTerms } from '../../text/terms.ts';

/**
 * Returns a function that computes a bonus for the form of a sentence. The bonus is positive if the sentence defines
 * the thing that the question asks for. It is negative for a closing formula, an announcement, and a sentence whose
 * beginning is missing.
 */
export function answerFormBonus(question: string): (text: string) => number {
  const asked = contentTerms(question);
  const isDefinitionAsked = asked.length <= maxDefinedTerms && whatIsPattern.test(question);
  const isEmpty = isFormulaFor(question);
  return (text) =>
    (isDefinitionAsked ? definitionBonus * definitionMatch(asked, text) : 0) -
    (isEmpty(text) ? formulaPenalty : 0) -
    (/^\p{Ll}/u.test(text) ? cutPenalty : 0);
}

/**
 * Returns a function that checks whether a sentence contains no facts, because it only welcomes, announces or closes.
 * If the question asks for a contact, the function always returns false, because "If you have questions, call …"
 * answers such a question.
 */
function isFormulaFor(question: string): (text: string) => boolean {
  const isContactAsked = contactPattern.test(question);
  return (text) => !isContactAsked && formulaPattern.test(text);
}

const definitionBonus = 0.25;
const formulaPenalty = 0.4;
const cutPenalty = 0.1;

const maxDefinedTerms = 4;
const whatIsPattern =
  /^\s*(?:what(?:['’]s| is| are| does)|was (?:ist|sind|bedeutet)|qué (?:es|son|significa)|¿qué (?:es|son|significa)|qu['’]est-ce|cos['’]è|cosa (?:è|sono)|o que (?:é|são)|что такое)(?!\p{L})|是什么|とは/iu;
const copulaPattern =
  /(?<!\p{L})(?:is|are|was|were|means?|refers? to|stands for|ist|sind|bedeutet|bezeichnet|es|son|significa|est|sont|désigne|è|sono|é|são|это)(?!\p{L})| [-–—] |是|とは/u;

/**
 * Returns 1 if the subject of the text is the thing that the question asks for, and the text then says what the thing
 * is. Returns 0.4 if the subject has one additional term.
 */
function definitionMatch(asked: readonly string[], text: string): number {
  const copula = copulaPattern.exec(text);
  if (copula === null || asked.length === 0) return 0;
  const subject = new Set(contentTerms(text.slice(0, copula.index)));
  if (!asked.every((term) => subject.has(term))) return 0;
  const more = subject.size - new Set(asked).size;
  return more === 0 ? 1 : more === 1 ? 0.4 : 0;
}

const contactPattern =
  /\b(?:contact|reach|call|phone|e-?mail|write|help|support|ask|questions?|kontakt\w*|contact(?:ed|ing)?)\b/iu;

/** Matches the first words of sentences that welcome, announce or close, and contain no facts. */
const formulaPattern =
  /^(?:if you (?:have|need) (?:any )?(?:further |other |more |additional )?(?:questions?|concerns?|information|help|assistance)|for (?:more|further|additional) (?:information|details)|please (?:feel free|do not hesitate|contact|see|refer|read)|we (?:are (?:proud|excited|pleased|happy|confident|committed|dedicated)|hope|look forward|strive|understand)|thank you|welcome to|at [\p{L} ]{1,40}, we (?:understand|strive|believe|are (?:proud|committed))|this (?:document|section|chapter|article|page) (?:describes|explains|contains|provides|covers)|here (?:is|are) (?:a|an|the|some) (?:list|collection|overview|few)[\p{L} ]{0,60}$|see (?:also )?(?:section|chapter|the|below|above)|(?:it is|it['’]s) important to|bei (?:weiteren )?fragen|weitere informationen|si (?:tiene|vous avez)|para más información|pour (?:plus d|en savoir)|gracias|merci|vielen dank)/iu;
