/** Limits of a question, in Unicode code points and numbers of items. */
export const questionLimits = {
  question: 4_000,
  /** Number of expected texts, and of the alternatives of each. */
  expectedTexts: 20,
  expectedText: 1_000,
  /** All expected texts of a question together, so that a page of 100 questions stays below the limit of a response. */
  allExpectedTexts: 20_000,
  documentName: 255,
  tags: 20,
  tag: 64,
  language: 20,
} as const;

/** Whether the expected texts of a question have at most `allExpectedTexts` code points together. */
export function areExpectedTextsShort(expected: readonly (readonly string[])[]): boolean {
  const total = expected.flat().reduce((sum, text) => sum + [...text].length, 0);
  return total <= questionLimits.allExpectedTexts;
}

export const expectedTextsTooLong = 'must have at most 20,000 characters in total';
