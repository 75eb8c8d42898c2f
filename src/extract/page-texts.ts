/**
 * Returns a function that says whether a page header or footer is read: it has a word, and the same text was not read
 * before. Page numbers have none.
 */
export function createPageTextFilter(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => {
    if (!/\p{L}{2}/u.test(text) || seen.has(text)) return false;
    seen.add(text);
    return true;
  };
}
