/**
 * Whether the text contains no NUL character. Postgres cannot store NUL. REST and GraphQL validation share the rules in
 * this file.
 */
export function hasNoNul(text: string): boolean {
  return !text.includes('\0');
}

/** Whether the text contains no lone surrogate. A lone surrogate is one half of a UTF-16 surrogate pair. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/**
 * Returns a check that a text has at most `max` Unicode code points. Counts the code points only if the length in
 * UTF-16 units is not enough to decide.
 */
export function hasAtMostCodePoints(max: number): (text: string) => boolean {
  return (text) => {
    if (text.length <= max) return true;
    if (text.length > max * 2) return false;
    return [...text].length <= max;
  };
}
