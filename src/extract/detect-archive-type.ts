import { unzipSync } from 'fflate';
import type { FileType } from './extracted-text.ts';

/** Entries that only Office files of a type contain. */
const officeEntries: readonly (readonly [type: FileType, pattern: RegExp])[] = [
  ['docx', /^word\/[^/]+\.xml$/i],
  ['xlsx', /^xl\/(?:workbook|worksheets\/[^/]+)\.xml$/i],
  ['pptx', /^ppt\/(?:presentation|slides\/[^/]+)\.xml$/i],
];

/**
 * Returns the type of a zip archive, or of an Office file with a password. Returns null if the file is neither, or its
 * type is not supported. If `head` ends before the entries that show the type, the claimed type decides.
 * @param claimed the type of the file extension.
 */
export function detectArchiveType(head: Uint8Array, claimed: FileType | null): FileType | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const isOffice = officeEntries.some(([type]) => type === claimed);
  if (isOffice && isEncryptedOffice(bytes)) return claimed;
  if (bytes.toString('latin1', 0, 2) !== 'PK') return null;
  const declared = declaredType(bytes);
  if (declared !== undefined) return declared;
  const names = entryNames(bytes);
  for (const [type, pattern] of officeEntries) {
    if (names.some((name) => pattern.test(name))) return type;
  }
  if (!isOffice || !names.includes('[Content_Types].xml')) return null;
  return names.some((name) => /^(?:word|xl|ppt)\//i.test(name)) ? null : claimed;
}

/**
 * Returns the type that the first entry `mimetype` declares, or null if it declares another one. Returns undefined if
 * there is no such entry, which OpenDocument and EPUB require.
 */
function declaredType(bytes: Buffer): FileType | null | undefined {
  const entry = bytes.toString('latin1', 30, 150);
  // Its content is stored without compression. The next entry follows it.
  const mediaType = /^mimetype(application\/[\w.+-]*?)(?:PK|\s|$)/.exec(entry)?.[1];
  if (mediaType === undefined) return undefined;
  return declaredTypes.get(mediaType) ?? null;
}

const declaredTypes: ReadonlyMap<string, FileType> = new Map([
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.text-template', 'odt'],
  ['application/epub+zip', 'epub'],
]);

/**
 * Whether the file is an OLE container of an Office file with a password. Its directory, with names in UTF-16, is near
 * its start.
 */
function isEncryptedOffice(bytes: Buffer): boolean {
  const isOle = bytes.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1';
  return isOle && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

/**
 * Returns the names of all entries in the zip's directory. If the file is truncated, returns those in its local
 * headers.
 */
function entryNames(bytes: Buffer): string[] {
  const names: string[] = [];
  try {
    unzipSync(bytes, { filter: (entry) => names.push(entry.name) < 0 });
    return names;
  } catch {
    return localEntryNames(bytes);
  }
}

function localEntryNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    if (at + 30 > bytes.length) break;
    names.push(bytes.toString('latin1', at + 30, at + 30 + bytes.readUInt16LE(at + 26)));
  }
  return names;
}
