import { unzipSync } from 'fflate';
import type { FileType } from './extracted-text.ts';
import { looksBinary } from './looks-binary.ts';

const PDF_SIGNATURE_WINDOW = 1_024;

const TEXT_TYPES: Readonly<Record<string, FileType>> = {
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

const MIME_TYPES: Readonly<Record<FileType, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  markdown: 'text/markdown',
  txt: 'text/plain',
};

/**
 * The type of a file, or null when it is none the service reads. PDF and DOCX are known by their content
 * alone, text formats by their extension. A file whose name claims the other of PDF and DOCX is refused.
 * `head` is the whole file or a prefix of at least some kilobytes.
 */
export function detectType(head: Uint8Array, fileName: string): FileType | null {
  const extension = extensionOf(fileName);
  const byContent = hasPdfSignature(head) ? 'pdf' : isWordPackage(head, extension) ? 'docx' : null;
  if (byContent !== null) {
    const claimed = extension === '.pdf' || extension === '.docx' ? extension.slice(1) : byContent;
    return claimed === byContent ? byContent : null;
  }
  if (hasForeignSignature(head) || looksBinary(head)) return null;
  return TEXT_TYPES[extension] ?? null;
}

/** The media type stored with a document and sent when its file is downloaded. */
export function mimeTypeOf(type: FileType): string {
  return MIME_TYPES[type];
}

function extensionOf(fileName: string): string {
  return /[^./\\](\.[^./\\\s]+)\s*$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** Readers accept up to 1,024 bytes before the signature (ISO 32000-1, implementation note 13). */
function hasPdfSignature(head: Uint8Array): boolean {
  return latin1(head.subarray(0, PDF_SIGNATURE_WINDOW)).includes('%PDF-');
}

/** A prefix may end before the parts under `word/`: then the name decides between the Office formats. */
function isWordPackage(head: Uint8Array, extension: string): boolean {
  if (!latin1(head.subarray(0, 4)).startsWith('PK')) return false;
  const names = entryNames(head);
  if (names.some((name) => /^word\/[^/]+\.xml$/i.test(name))) return true;
  if (extension !== '.docx' || !names.includes('[Content_Types].xml')) return false;
  return !names.some((name) => /^(?:xl|ppt)\//i.test(name));
}

/** The names in a zip's directory or, of a prefix, those in the entries seen. */
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

/** Formats that may pass for text in their first bytes: RTF, PostScript, any zip, OLE, images. */
function hasForeignSignature(head: Uint8Array): boolean {
  return /^(?:\{\\rtf|%!PS|PK\x03\x04|PK\x05\x06|\xd0\xcf\x11\xe0|\x89PNG|GIF8|\xff\xd8\xff|Rar!|7z\xbc\xaf|\x1f\x8b)/.test(
    latin1(head.subarray(0, 8)),
  );
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
