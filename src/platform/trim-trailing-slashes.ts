/** Removes the slashes at the end of the text, in linear time. */
export function trimTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
