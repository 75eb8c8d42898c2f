/**
 * Reads expected texts from a text field. Each line is a text that the answer must contain. `|` separates alternatives
 * of a line. Blank lines and blank alternatives are ignored.
 */
export function parseExpectedTexts(text: string): string[][] {
  return text
    .split('\n')
    .map(splitAlternatives)
    .filter(({ length }) => length > 0);
}

/** Returns the content of a text field with these expected texts. */
export function expectedTextsField(expected: readonly (readonly string[])[]): string {
  return expected.map((alternatives) => alternatives.join(' | ')).join('\n');
}

function splitAlternatives(line: string): string[] {
  return line
    .split('|')
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== '');
}

/** Reads tags that are separated by commas. */
export function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
