import { ExtractError } from '../extracted-text.ts';
import { decodeText, encodingOfByteOrderMark } from './decode-text.ts';

/** Number of bytes in which the declared encoding is searched. This is four times as many as browsers use. */
const declarationBytes = 4_096;

/**
 * Decodes an HTML file. Takes the encoding from the first source that has one: the byte order mark, `httpCharset`, the
 * declaration in the file, detection as for text files.
 * @throws ExtractError CORRUPT_FILE when the file is binary.
 */
export async function decodeHtml(bytes: Uint8Array, httpCharset?: string): Promise<string> {
  const declared =
    encodingOfByteOrderMark(bytes) === null
      ? (findDecoder(httpCharset) ?? findDecoder(declaredCharset(bytes)))
      : null;
  // A declaration of UTF-8 is often wrong, so the encoding is then detected. Real UTF-8 is detected as UTF-8.
  const text =
    declared === null || declared.encoding === 'utf-8'
      ? await decodeText(bytes)
      : declared.decode(bytes);
  if (text === null) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains binary data, not HTML.');
  }
  return text;
}

/** Returns the encoding that `<meta charset>`, `<meta http-equiv>` or the XML declaration names. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const declaration = /<\?xml\s[^>]{0,200}|<meta\s[^>]{0,400}/gi;
  for (const [tag] of head.matchAll(declaration)) {
    const charset = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(tag)?.[1];
    if (charset !== undefined) return charset;
  }
  return undefined;
}

/**
 * Returns a decoder for the name of an encoding. A declared UTF-16 becomes UTF-8, as in browsers, because the
 * declaration itself is readable as ASCII.
 */
function findDecoder(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label);
  } catch {
    return null;
  }
}
