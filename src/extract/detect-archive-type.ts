import { unzipSync } from 'fflate';
import type { FileType } from './extracted-text.ts';

/** Entries that only archives of a type contain. */
const typicalEntries: readonly (readonly [FileType, RegExp])[] = [['docx', /^word\/[^/]+\.xml$/i]];

/**
 * Returns the type of a zip archive, or null if the file is none or the type is not supported. If `head` ends before
 * the entries that show the type, the type that the file extension claims decides.
 */
export function detectArchiveType(head: Uint8Array, claimed: FileType | null): FileType | null {
  if (head[0] !== 0x50 || head[1] !== 0x4b) return null;
  const names = entryNames(head);
  for (const [type, pattern] of typicalEntries) {
    if (names.some((name) => pattern.test(name))) return type;
  }
  const isOfficeArchive = claimed === 'docx';
  if (!isOfficeArchive || !names.includes('[Content_Types].xml')) return null;
  return names.some((name) => /^(?:word|xl|ppt)\//i.test(name)) ? null : claimed;
}

/**
 * Returns the names of all entries in the zip's directory. If the file is truncated, returns those in its local
 * headers.
 */
function entryNames(head: Uint8Array): string[] {
  const names: string[] = [];
  try {
    unzipSync(head, { filter: (entry) => names.push(entry.name) < 0 });
    return names;
  } catch {
    return localEntryNames(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
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
