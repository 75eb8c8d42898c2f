/**
 * Returns a function that computes the penalty of a text about what applied until a day, or before: "Until 31 May 2024 the
 * fee was £6". If the question asks for the old rule, the other texts get the penalty.
 */
export function supersededPenalty(question: string): (text: string) => number {
  const isOldAsked = oldQuestion.test(question);
  if (!isOldAsked) return (text) => (endedPattern.test(text) ? penalty : 0);
  return (text) => (endedPattern.test(text) || endedPart.test(text) ? 0 : penalty);
}

const penalty = 0.3;

const day = String.raw`(?:the )?(?:\p{Nd}{1,2}(?:st|nd|rd|th|er)?\.? ?)?(?:of )?(?:\p{L}{3,9}\.? )?(?:\p{Nd}{1,2}, )?(?:19|20)\p{Nd}{2}`;
const until = "(?:until|till|up to|bis(?: zum| ende)?|jusqu['’](?:au?|en|à fin))";

/** Matches a statement that begins with the end of its validity. */
const endedPattern = new RegExp(
  String.raw`^(?:\p{L}{3,20}: )?(?:${until} ${day}(?!\p{Nd})|(?:previously|formerly|früher|bisher|auparavant|autrefois)(?!\p{L}))`,
  'iu',
);

/** Matches the end of a validity elsewhere, such as in the title of a column. */
const endedPart = new RegExp(
  String.raw`(?<!\p{L})(?:${until} (?:${day}|\p{Nd}{1,2}\.? \p{L}{3,9})|previous(?:ly)?|former(?:ly)?|früher\p{L}*|bisher\p{L}*|ancien\p{L}*|auparavant)(?!\p{L})`,
  'iu',
);

const rule =
  '(?:rules?|versions?|polic(?:y|ies)|terms|conditions|prices?|fees?|rates?|limits?|amounts?|regel\\p{L}*|fassung|ordnung|richtlinie|bedingungen|preise?|gebühr\\p{L}*|règles?|règlement|conditions|tarifs?|prix|versions?)';
const oldQuestion = new RegExp(
  String.raw`(?<!\p{L})(?:(?:old|previous|former|earlier|früheren?|alten?|bisherigen?|anciens?|anciennes?) (?:\p{L}+ )?${rule}|used to (?:be|cost)|before (?:the|it|they|that|this) .{0,30}(?:went up|rose|chang\p{L}*|increas\p{L}*)|früher|auparavant)(?!\p{L})`,
  'iu',
);
