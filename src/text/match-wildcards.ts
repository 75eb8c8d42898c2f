/**
 * Returns a function that checks whether a whole text matches the pattern. `*` matches any characters. A match is fast:
 * each part between two stars is searched only once.
 */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const parts = rest.filter((part) => part !== '');
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at;
  };
}
