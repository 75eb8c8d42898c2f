/** Returns what follows the last white space. Takes linear time, which an expression with `$` does not. */
export function lastWord(text: string): string {
  return text.split(/\s/).at(-1) ?? '';
}
