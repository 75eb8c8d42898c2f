/**
 * Returns the name of an entry of a zip archive in the form that the format requires (APPNOTE 4.4.17): `/` between
 * folders, no leading `/` or `./`. Some programs write `\` instead. Some write UTF-8 without the UTF-8 flag, so it is
 * read as Latin-1.
 */
export function entryName(raw: string): string {
  return fromUtf8(raw)
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
}

function fromUtf8(raw: string): string {
  if (!/[\x80-\xff]/.test(raw) || !/^[\0-\xff]*$/.test(raw)) return raw;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw, 'latin1'));
  } catch {
    return raw;
  }
}
