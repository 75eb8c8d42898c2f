/**
 * Removes phrases of a question that only name the place of the answer, such as "as reported in the latest 10-Q". In
 * documents, these words occur in formal parts, which contain no answers. English only.
 */
export function withoutSourcePhrases(question: string): string {
  return question.replace(sourcePhrase, ' ');
}

const sourcePhrase =
  /\b(?:according to|as|in|from) (?:the|its|their|this) (?:(?:latest|last|most recent|current|same) )?(?:documents?|filings?|reports?|form)\b|\b(?:as )?(?:described|disclosed|mentioned|noted|reported|revealed|stated) (?=(?:by|for|in|on)\b)|\b(?:latest|most recent|annual|quarterly) (?:filings?|reports?)\b|\b(?:form )?(?:6|8|10|20)-[FKQ]\b(?: (?:filings?|reports?)\b)?/giu;
