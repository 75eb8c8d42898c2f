/**
 * Returns the wording of a question, by which questions are compared: questions that differ only in case, white space
 * or Unicode composition have the same wording. Returns an empty text for a blank question.
 */
export function wordingOf(question: string): string {
  return question.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
