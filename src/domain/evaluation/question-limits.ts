/** Limits of a question, in Unicode code points and numbers of items. */
export const questionLimits = {
  question: 4_000,
  /** Number of expected texts, and of the alternatives of each. */
  expectedTexts: 20,
  expectedText: 1_000,
  documentName: 255,
  tags: 20,
  tag: 64,
  language: 20,
} as const;
