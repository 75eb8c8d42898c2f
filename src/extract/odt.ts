import type { ExtractLimits } from './extract-limits.ts';
import { ExtractError, type ExtractedText } from './extracted-text.ts';
import { addOdtBlocks } from './odt-blocks.ts';
import { readOdtStyles } from './odt-styles.ts';
import { createTextBuilder } from './text-builder.ts';
import { unpackArchive } from './unpack-archive.ts';
import { findElement, parseXml, type XmlElement } from './xml-tree.ts';

/** Names of XML elements that text extraction does not need, that are hidden, or that contain deleted text. */
const unusedElements = new Set(
  'tracked-changes annotation forms sequence-decls variable-decls hidden-text settings scripts'.split(
    ' ',
  ),
);
const readEntries = /^(?:content\.xml|styles\.xml|META-INF\/manifest\.xml)$/i;

/**
 * Extracts the text of an OpenDocument text: headings, paragraphs, lists with their numbers, and tables. Notes and text
 * boxes follow the block that they belong to. Tracked changes are treated as accepted. Omits comments, headers and
 * footers.
 * @throws ExtractError CORRUPT_FILE, ENCRYPTED, TOO_LARGE or EMPTY_TEXT.
 */
export async function readOdt(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const entries = unpackArchive(bytes, limits.unpackedBytes, readEntries);
  if (isEncrypted(entries.get('meta-inf/manifest.xml'))) {
    throw new ExtractError('ENCRYPTED', 'The file needs a password. Upload it without one.');
  }
  const content = await parse(entries.get('content.xml'));
  const body = findElement(content ?? undefined, 'body', 'text');
  if (content === null || body === undefined) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains no OpenDocument text.');
  }
  const styles = readOdtStyles([await parse(entries.get('styles.xml')), content]);
  const builder = createTextBuilder(limits.textCharacters);
  addOdtBlocks(builder, styles, body);
  return builder.build();
}

/** An encrypted document lists the key of each entry in its manifest (OpenDocument 1.3, part 2, 4.4). */
function isEncrypted(manifest: Uint8Array | undefined): boolean {
  return manifest !== undefined && Buffer.from(manifest).includes('encryption-data');
}

function parse(entry: Uint8Array | undefined): Promise<XmlElement> | null {
  return entry === undefined ? null : parseXml(entry, unusedElements);
}
