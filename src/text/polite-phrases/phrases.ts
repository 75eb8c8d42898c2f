/**
 * Phrases in one language that surround a question and are not part of it. In a phrase, `/` separates alternatives of a
 * word, and `?` marks an optional word: `could/can you ?please tell me`. Case, accents and punctuation do not matter.
 */
export interface PolitePhrases {
  /** Phrases that start a message: "Good morning". */
  readonly greetings: readonly string[];
  /** Words that start a sentence if a comma follows: "So". */
  readonly interjections: readonly string[];
  /**
   * Phrases that start a sentence without a question: "I hope you are well". They are also removed in front of a
   * question.
   */
  readonly remarks: readonly string[];
  /** Phrases that introduce the question in the same sentence: "Could you tell me". */
  readonly requests: readonly string[];
  /** Words that join a request and an indirect question: "whether". Removed only after a request. */
  readonly conjunctions: readonly string[];
  /** Phrases that end a sentence: "please". */
  readonly endings: readonly string[];
  /** Phrases that end a letter: "Kind regards". The text after such a phrase is a name. */
  readonly closings: readonly string[];
}
