/** Decodes the encoded words of a header (RFC 2047), such as `=?utf-8?B?…?=`. Leaves other text unchanged. */
export async function decodeEncodedWords(text: string): Promise<string> {
  if (!text.includes('=?')) return text;
  const { decodeWords } = await import('postal-mime');
  return decodeWords(text);
}
