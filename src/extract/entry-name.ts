/**
 * Returns the name of an entry of a zip archive as the format requires it (APPNOTE 4.4.17): with `/` between folders, and
 * without a leading one or `./`. Some programs write `\`, and UTF-8 without its flag, which is read as Latin-1.
 */
export function entryName(raw: string): string {
  return fromUtf8(raw)
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
}

function fromUtf8(raw: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(raw)) return raw;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw, 'latin1'));
  } catch {
    return raw;
  }
}
