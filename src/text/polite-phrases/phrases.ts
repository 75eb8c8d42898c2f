/**
 * Phrases around a question that are not part of it, in one language. In a phrase, `/` separates alternatives of a
 * word, and `?` marks an optional word: `could/can you ?please tell me`. Case, accents and punctuation are ignored.
 */
export interface PolitePhrases {
  /** Start a message: "Good morning". */
  readonly greetings: readonly string[];
  /** Start a sentence, followed by a comma: "So". */
  readonly interjections: readonly string[];
  /** Start a sentence that contains no question: "I hope you are well". Also removed in front of a question. */
  readonly remarks: readonly string[];
  /** Lead to the question in the same sentence: "Could you tell me". */
  readonly requests: readonly string[];
  /** Join a request and an indirect question: "whether". Removed only after a request. */
  readonly conjunctions: readonly string[];
  /** End a sentence: "please". */
  readonly endings: readonly string[];
  /** End a letter. The text after them is a name: "Kind regards". */
  readonly closings: readonly string[];
}
