/**
 * Returns a function that decides whether to read a page header or footer. It returns true if the text contains a word
 * and was not read before. So page numbers are not read.
 */
export function createPageTextFilter(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => {
    if (!/\p{L}{2}/u.test(text) || seen.has(text)) return false;
    seen.add(text);
    return true;
  };
}
