import { unzipSync } from 'fflate';
import type { FileType } from './extracted-text.ts';
import { isLikelyBinary } from './is-likely-binary.ts';

const pdfSignatureWindowBytes = 1_024;

const textTypesByExtension: Readonly<Record<string, FileType>> = {
  '': 'txt',
  '.txt': 'txt',
  '.text': 'txt',
  '.log': 'txt',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
};

const mimeTypes: Readonly<Record<FileType, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  markdown: 'text/markdown',
  txt: 'text/plain',
};

const fileTypes = Object.keys(mimeTypes) as FileType[];

/**
 * Returns the file type, or null if it is not supported. Detects PDF and DOCX by content, and text formats by file
 * extension. Returns null for a PDF named `.docx` and for a DOCX named `.pdf`.
 * @param head the whole file, or its first bytes (at least a few kilobytes).
 */
export function detectFileType(head: Uint8Array, fileName: string): FileType | null {
  const extension = extensionOf(fileName);
  const byContent = hasPdfSignature(head) ? 'pdf' : isWordPackage(head, extension) ? 'docx' : null;
  if (byContent !== null) {
    const claimed = extension === '.pdf' || extension === '.docx' ? extension.slice(1) : byContent;
    return claimed === byContent ? byContent : null;
  }
  if (hasUnsupportedSignature(head) || isLikelyBinary(head)) return null;
  return textTypesByExtension[extension] ?? null;
}

/** Returns the media type that is stored with a document and sent with its download. */
export function mimeTypeOf(type: FileType): string {
  return mimeTypes[type];
}

/** Returns the file type for the MIME type of a stored document. */
export function fileTypeFromMimeType(mimeType: string): FileType {
  const type = fileTypes.find((candidate) => mimeTypes[candidate] === mimeType);
  if (type === undefined) throw new Error(`No reader for ${mimeType}`);
  return type;
}

function extensionOf(fileName: string): string {
  return /[^./\\](\.[^./\\\s]+)\s*$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** Whether the signature is in the first 1,024 bytes, as PDF readers accept (ISO 32000-1, implementation note 13). */
function hasPdfSignature(head: Uint8Array): boolean {
  return latin1(head.subarray(0, pdfSignatureWindowBytes)).includes('%PDF-');
}

/** Whether the zip is a Word document. If `head` ends before the `word/` entries, the file extension decides. */
function isWordPackage(head: Uint8Array, extension: string): boolean {
  if (!latin1(head.subarray(0, 4)).startsWith('PK')) return false;
  const names = entryNames(head);
  if (names.some((name) => /^word\/[^/]+\.xml$/i.test(name))) return true;
  if (extension !== '.docx' || !names.includes('[Content_Types].xml')) return false;
  return !names.some((name) => /^(?:xl|ppt)\//i.test(name));
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

/**
 * Whether the file has the signature of an unsupported format that can look like text: RTF, PostScript, archives, OLE,
 * images.
 */
function hasUnsupportedSignature(head: Uint8Array): boolean {
  return /^(?:\{\\rtf|%!PS|PK\x03\x04|PK\x05\x06|\xd0\xcf\x11\xe0|\x89PNG|GIF8|\xff\xd8\xff|Rar!|7z\xbc\xaf|\x1f\x8b)/.test(
    latin1(head.subarray(0, 8)),
  );
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
