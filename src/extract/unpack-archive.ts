import { type UnzipFileInfo, unzipSync } from 'fflate';
import { entryName } from './entry-name.ts';
import { ExtractError } from './extracted-text.ts';

const maxEntries = 20_000;
/**
 * Maximum ratio of unpacked to packed size. With Deflate, a zip bomb can reach 1,032, while the XML of real documents
 * stays far below 250. Entries that are not read, such as blank pictures, may exceed the ratio.
 */
const maxCompressionRatio = 250;
const minRatioCheckBytes = 20 * 1024 * 1024;

/** Signature of OLE files. Office uses them for files with a password. */
const oleSignature = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Returns the entries of a zip archive whose names match `pattern`. The keys are the names in lower case.
 * @throws ExtractError TOO_LARGE when the archive exceeds a limit, ENCRYPTED when it needs a password, CORRUPT_FILE
 * when it is damaged.
 */
export function unpackArchive(
  bytes: Uint8Array,
  maxUnpackedBytes: number,
  pattern: RegExp,
): Map<string, Uint8Array> {
  if (oleSignature.every((byte, index) => bytes[index] === byte) || hasEncryptedEntry(bytes)) {
    throw new ExtractError('ENCRYPTED', 'The file needs a password. Upload it without one.');
  }
  let entries = 0;
  let unpacked = 0;
  const shouldUnpack = (entry: UnzipFileInfo): boolean => {
    entries += 1;
    unpacked += entry.originalSize;
    const isRead = pattern.test(entryName(entry.name));
    const isBomb =
      isRead &&
      entry.originalSize > minRatioCheckBytes &&
      entry.originalSize > entry.size * maxCompressionRatio;
    if (entries > maxEntries || unpacked > maxUnpackedBytes || isBomb) {
      throw new ExtractError('TOO_LARGE', 'The unpacked file exceeds the size limit.');
    }
    return isRead;
  };
  try {
    const parts = Object.entries(unzipSync(bytes, { filter: shouldUnpack }));
    return new Map(parts.map(([name, part]) => [entryName(name).toLowerCase(), part]));
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    throw new ExtractError(
      'CORRUPT_FILE',
      'The file is damaged or incomplete. Open it in the program that wrote it, and save it again.',
      { cause: error },
    );
  }
}

/**
 * Whether the first local header has bit 0 of its flags set, which means that the entry is encrypted (APPNOTE 4.4.4).
 */
function hasEncryptedEntry([p, k, c, d, , , flags = 0]: Uint8Array): boolean {
  return p === 0x50 && k === 0x4b && c === 3 && d === 4 && (flags & 1) === 1;
}
