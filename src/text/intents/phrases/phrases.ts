/**
 * Phrases of one language, as patterns over folded words (lower case, without accents, apostrophes and punctuation).
 *
 * `(a|b c)` is a choice and `[a|b c]` an optional choice; there is no repetition, so a pattern matches in linear time.
 * A message is small talk only if phrases cover all of it. "phonenumber" is any phone number.
 */
export interface Phrases {
  readonly GREETING: readonly string[];
  readonly THANKS: readonly string[];
  readonly GOODBYE: readonly string[];
  readonly IDENTITY: readonly string[];
  readonly HELP: readonly string[];
  readonly HUMAN: readonly string[];
  readonly COMPLAINT: readonly string[];
  /** Words that may stand next to a phrase and do not change its meaning. */
  readonly filler: readonly string[];
}
