/** Matches page numbers, such as `12`, `- 12 -`, `3/12` and `iv`. A number of four digits may be a year. */
const pageNumber = /^[^\p{L}\p{N}]*(?:(?:\d{1,3}(?:\s*\/\s*\d{1,3})?|[ivxlc]+)[^\p{L}\p{N}]*)?$/iu;

/**
 * Returns a function that decides whether to read a page header or footer. It returns true if the text is no page
 * number and was not read before.
 */
export function createPageTextFilter(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => {
    if ((text.length < 40 && pageNumber.test(text)) || seen.has(text)) return false;
    seen.add(text);
    return true;
  };
}
