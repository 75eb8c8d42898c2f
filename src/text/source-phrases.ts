/**
 * Removes the phrases of a question that only say where the answer stands, such as "as reported in the latest 10-Q". In a
 * document, their words are in its formal parts, which answer nothing. English only.
 */
export function withoutSourcePhrases(question: string): string {
  return question.replace(sourcePhrase, ' ');
}

const sourcePhrase =
  /\b(?:according to|as|in|from) (?:the|its|their|this) (?:(?:latest|last|most recent|current|same) )?(?:documents?|filings?|reports?|form)\b|\b(?:as )?(?:described|disclosed|mentioned|noted|reported|revealed|stated) (?=(?:by|for|in|on)\b)|\b(?:latest|most recent|annual|quarterly) (?:filings?|reports?)\b|\b(?:form )?(?:6|8|10|20)-[FKQ]\b(?: (?:filings?|reports?)\b)?/giu;
