/**
 * Returns whether a reply refuses to answer: it has no citations, or an abstention phrase is in its first 200
 * characters. For replies of programs whose decision is not known.
 */
export function isAbstention(content: string, citations: number): boolean {
  return citations === 0 || abstentionPattern.test(content.slice(0, 200));
}

const abstentionPattern =
  /\b(?:I (?:do not|don['’]t|could not|couldn['’]t|cannot|can['’]t) (?:know|find|answer|determine)|(?:is|are) not (?:mentioned|stated|specified|covered) in|do(?:es)? not (?:mention|contain|say|specify|state)|no (?:relevant )?information)\b/i;
