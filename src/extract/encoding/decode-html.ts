import { ExtractError } from '../extracted-text.ts';
import { decodeText, encodingOfByteOrderMark } from './decode-text.ts';

/** Bytes in which browsers look for the encoding, times four. */
const declarationBytes = 4_096;

/**
 * Decodes an HTML file. Uses the byte order mark, or else `httpCharset`, or else the encoding that the file declares, or
 * else detection as for text files.
 * @throws ExtractError CORRUPT_FILE when the file is binary.
 */
export async function decodeHtml(bytes: Uint8Array, httpCharset?: string): Promise<string> {
  const declared =
    encodingOfByteOrderMark(bytes) === null
      ? (findDecoder(httpCharset) ?? findDecoder(declaredCharset(bytes)))
      : null;
  // Declared UTF-8 is often wrong: detection reads it as UTF-8 if it is.
  const text =
    declared === null || declared.encoding === 'utf-8'
      ? await decodeText(bytes)
      : declared.decode(bytes);
  if (text === null) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains binary data, not HTML.');
  }
  return text;
}

/** Returns the encoding of `<meta charset>`, `<meta http-equiv>` or the XML declaration. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const declaration = /<\?xml\s[^>]{0,200}|<meta\s[^>]{0,400}/gi;
  for (const [tag] of head.matchAll(declaration)) {
    const charset = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(tag)?.[1];
    if (charset !== undefined) return charset;
  }
  return undefined;
}

/** UTF-16 cannot be declared in ASCII: browsers read it as UTF-8. */
function findDecoder(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label);
  } catch {
    return null;
  }
}
