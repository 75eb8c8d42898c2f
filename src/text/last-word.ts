/** Returns the text after the last white space. Takes linear time, unlike a regular expression with `$`. */
export function lastWord(text: string): string {
  return text.split(/\s/).at(-1) ?? '';
}
