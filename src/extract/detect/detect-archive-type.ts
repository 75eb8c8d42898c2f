import { unzipSync } from 'fflate';
import { entryName } from '../entry-name.ts';
import type { FileType } from '../file-formats.ts';

/**
 * For each Office type: `entry` matches entries that only files of this type contain, and `folder` matches the folder
 * of all their parts.
 */
const officeFormats: readonly { type: FileType; entry: RegExp; folder: RegExp }[] = [
  { type: 'docx', entry: /^word\/[^/]+\.xml$/i, folder: /^word\//i },
  { type: 'xlsx', entry: /^xl\/(?:workbook|worksheets\/[^/]+)\.xml$/i, folder: /^xl\//i },
  { type: 'pptx', entry: /^ppt\/(?:presentation|slides\/[^/]+)\.xml$/i, folder: /^ppt\//i },
];
const contentTypesEntry = '[Content_Types].xml';

/**
 * Entry that a file of the type must contain. Used if the entry `mimetype` is not readable, because a general zip tool
 * wrote the file.
 */
const requiredEntries: ReadonlyMap<FileType | null, string> = new Map([
  ['odt', 'content.xml'],
  ['epub', 'META-INF/container.xml'],
]);

const maxEntries = 20_000;
const maxNameLength = 260;
/** Length of an entry in the zip's directory, not counting the entry's name (APPNOTE 4.3.12). */
const minDirectoryEntryBytes = 46;

/**
 * Returns the type of a zip archive, or of an Office file with a password. Returns null if the file is neither of
 * these, or if its type is not supported. If `head` ends before the entries that show the type, returns the claimed
 * type.
 * @param claimed the type of the file extension.
 */
export function detectArchiveType(head: Uint8Array, claimed: FileType | null): FileType | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const isOffice = officeFormats.some(({ type }) => type === claimed);
  if (isOffice && isEncryptedOffice(bytes)) return claimed;
  if (bytes.toString('latin1', 0, 2) !== 'PK') return null;
  const declared = declaredType(bytes);
  if (declared !== undefined) return declared;
  const entries = readEntries(bytes);
  const office = officeFormats.find(({ entry }) => entries.names.some((name) => entry.test(name)));
  if (office !== undefined) return office.type;
  const mayBeClaimed = isOffice ? mayBeOffice(entries, claimed) : mayBeOther(entries, claimed);
  return mayBeClaimed ? claimed : null;
}

/** Whether `head` starts as a zip archive without a readable directory. Also true for the first bytes of a long archive. */
export function isIncompleteArchive(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return bytes.toString('latin1', 0, 2) === 'PK' && !readEntries(bytes).isComplete;
}

/** Whether an Office file without any entry that shows its type can have this type. */
function mayBeOffice({ names, isComplete }: Entries, type: FileType | null): boolean {
  const excluded = officeFormats.filter((format) => isComplete || format.type !== type);
  const isExcluded = (name: string) => excluded.some(({ folder }) => folder.test(name));
  return names.includes(contentTypesEntry) && !names.some(isExcluded);
}

/** Whether an archive without a declared type can be an OpenDocument text or an EPUB. */
function mayBeOther({ names, isComplete }: Entries, type: FileType | null): boolean {
  const required = requiredEntries.get(type);
  if (required === undefined || names.includes(contentTypesEntry)) return false;
  return !isComplete || names.includes(required);
}

/**
 * Returns the type that the first entry, `mimetype`, declares. Returns null if it declares an unsupported type. Returns
 * undefined if the entry is missing or compressed, although OpenDocument and EPUB require it.
 */
function declaredType(bytes: Buffer): FileType | null | undefined {
  const entry = bytes.toString('latin1', 30, 150);
  // The content of the entry is not compressed. The next entry follows directly after it.
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
 * Whether the file is an OLE container of an Office file with a password. Near its start, such a file has a directory
 * with names in UTF-16.
 */
function isEncryptedOffice(bytes: Buffer): boolean {
  const isOle = bytes.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1';
  return isOle && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

interface Entries {
  readonly names: readonly string[];
  /** Whether `names` contains all names of the directory. */
  readonly isComplete: boolean;
}

/**
 * Returns the names in the zip's directory. If the file is truncated, or the directory declares more entries than it
 * can contain, returns the names in the local headers instead.
 */
function readEntries(bytes: Buffer): Entries {
  const names: string[] = [];
  const limit = Math.min(maxEntries, Math.floor(bytes.length / minDirectoryEntryBytes));
  try {
    unzipSync(bytes, {
      filter: ({ name }) => {
        if (names.length >= limit) throw new RangeError('The directory has too many entries');
        names.push(entryName(name.slice(0, maxNameLength)));
        return false;
      },
    });
    return { names, isComplete: true };
  } catch {
    return { names: localEntryNames(bytes), isComplete: false };
  }
}

function localEntryNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    if (at + 30 > bytes.length || names.length >= maxEntries) break;
    const length = Math.min(maxNameLength, bytes.readUInt16LE(at + 26));
    names.push(entryName(bytes.toString('latin1', at + 30, at + 30 + length)));
  }
  return names;
}
