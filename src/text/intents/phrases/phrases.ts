/**
 * Phrases of one language, as patterns of folded words (lower case, without accents, apostrophes and punctuation).
 *
 * `(a|b c)` is a choice and `[a|b c]` an optional choice. There is no repetition, so matching a pattern takes linear
 * time. A message is small talk only if phrases cover all of it. "phonenumber" matches any phone number.
 */
export interface Phrases {
  readonly GREETING: readonly string[];
  readonly THANKS: readonly string[];
  readonly GOODBYE: readonly string[];
  readonly IDENTITY: readonly string[];
  readonly HELP: readonly string[];
  readonly HUMAN: readonly string[];
  readonly COMPLAINT: readonly string[];
  /** Words that may be before or after a phrase without changing its meaning. */
  readonly filler: readonly string[];
}
