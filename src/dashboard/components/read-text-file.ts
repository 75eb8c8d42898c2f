/** What a form says if `readTextFile` returns null. */
export const notUtf8 = 'The file must be UTF-8. In Excel, save it as "CSV UTF-8"';

/** Returns the text of a file. Null if it is not UTF-8. */
export async function readTextFile(file: File): Promise<string | null> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
