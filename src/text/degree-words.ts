import { fold } from './tokenize.ts';

/**
 * Returns the folded words of a question that only ask for a degree, such as "high" in "How high is the fee?". The text
 * that answers the question often does not contain "high", but it does contain "fee".
 */
export function degreeWords(question: string): string[] {
  return [...fold(question).matchAll(degreePattern)].map(([, word = '']) => word);
}

/** The pattern is used after folding, so its words have no accents or umlauts. */
const degreePattern =
  /(?<![\p{L}\p{M}])(?:how|wie|que tan|cuan|quao|hoe)\s+(high|low|long|big|large|small|tall|deep|wide|heavy|far|fast|old|much|many|often|expensive|hoch|niedrig|lange?|gross|klein|tief|breit|schwer|weit|schnell|alt|viele?|oft|haufig|teuer|alto|largo|grande|lejos|pesado|caro|rapido|longo|longe|hoog|lang|groot|diep|breed|zwaar|ver|snel|oud|veel|vaak|duur)(?![\p{L}\p{M}])/gu;
