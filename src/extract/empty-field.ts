/**
 * Returns the text of an empty field of a form. A dash after its label keeps the label from introducing the next text:
 * `Holder:` above `Room: 4` would be read as `Holder: Room: 4`.
 * @param before the text before the field, in the same paragraph.
 */
export function emptyFieldText(before: string): string {
  if (!/[:：]\s{0,20}$/.test(before.slice(-21))) return '';
  return /\s$/.test(before) ? '–' : ' –';
}
