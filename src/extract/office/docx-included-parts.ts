import { detectFileType } from '../detect/detect-file-type.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { readHtml } from '../html/html.ts';
import { readRtf } from '../rtf/rtf.ts';
import { readMhtml } from '../text-formats/eml.ts';
import { readTxt } from '../text-formats/txt.ts';
import type { OfficePackage, Relationships } from './office-package.ts';

/** Names of the entries that are read: the entries of a Word document, and the parts that it may include. */
export const docxEntries = /\.(?:xml|rels|html?|xhtml|mht|mhtml|docx|docm|rtf|txt|dat)$/i;

/**
 * Reads the parts that a Word document includes in another format (ECMA-376 part 1, 17.17.2.1): HTML, MHTML, RTF, text,
 * and other Word documents with `readDocx`. Returns their texts by the id of the relationship.
 * @throws ExtractError UNSUPPORTED_FILE when a part has another format, and the errors of the readers except
 * EMPTY_TEXT.
 */
export async function readIncludedParts(
  parts: OfficePackage,
  relationships: Relationships,
  limits: ExtractLimits,
  readDocx: (bytes: Uint8Array) => Promise<ExtractedText>,
): Promise<Map<string, ExtractedText>> {
  const read = async (name: string): Promise<ExtractedText | null> => {
    const bytes = parts.readBytes(name);
    if (bytes === null) return null;
    if (isMhtml(name, bytes)) return readMhtml(bytes, limits);
    switch (detectFileType(bytes, name)) {
      case 'html':
        return readHtml(bytes, limits);
      case 'rtf':
        return readRtf(bytes, limits);
      case 'txt':
        return readTxt(bytes, limits);
      case 'docx':
        return readDocx(bytes);
      default:
        throw new ExtractError(
          'UNSUPPORTED_FILE',
          'The document includes a part in another format. Open it in Word, and save it as a new file.',
        );
    }
  };
  const texts = new Map<string, ExtractedText>();
  const byTarget = new Map<string, ExtractedText | null>();
  for (const [id, { kind, target }] of relationships) {
    if (kind !== 'aFChunk') continue;
    const known = byTarget.get(target);
    const text = known === undefined ? await withoutEmpty(read(target)) : known;
    byTarget.set(target, text);
    if (text !== null) texts.set(id, text);
  }
  return texts;
}

function isMhtml(name: string, bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /\.mht(?:ml)?$/i.test(name) || /^\s{0,10}(?:MIME-Version|Content-Type):/i.test(start);
}

async function withoutEmpty(text: Promise<ExtractedText | null>): Promise<ExtractedText | null> {
  try {
    return await text;
  } catch (error) {
    if (error instanceof ExtractError && error.code === 'EMPTY_TEXT') return null;
    throw error;
  }
}
