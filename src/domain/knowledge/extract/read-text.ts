import { decodeText } from './decode-text.ts';
import { ExtractError } from './extracted-text.ts';

/** The text of a file of a text format. Throws `ExtractError` `CORRUPT_FILE` when it is binary. */
export async function readText(bytes: Uint8Array): Promise<string> {
  const text = await decodeText(bytes);
  if (text === null) {
    throw new ExtractError('CORRUPT_FILE', 'The file holds binary data, not text.');
  }
  return text;
}
