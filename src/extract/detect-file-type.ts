import { detectArchiveType } from './detect-archive-type.ts';
import type { FileType } from './extracted-text.ts';
import { fileTypeOfExtension, isTextFormat } from './file-formats.ts';
import { isLikelyBinary } from './is-likely-binary.ts';

const pdfSignatureWindowBytes = 1_024;

/**
 * Returns the file type, or null if it is not supported. Detects PDF and archives by content, and text formats by file
 * extension. Returns null if the extension is that of another format with a signature, such as a PDF named `.docx`.
 * @param head the whole file, or its first bytes (at least a few kilobytes).
 */
export function detectFileType(head: Uint8Array, fileName: string): FileType | null {
  const claimed = fileTypeOfExtension(extensionOf(fileName));
  const byContent = hasPdfSignature(head) ? 'pdf' : detectArchiveType(head, claimed);
  if (byContent !== null) {
    const isClaimed = claimed === null || claimed === byContent || isTextFormat(claimed);
    return isClaimed ? byContent : null;
  }
  if (claimed === null || !isTextFormat(claimed)) return null;
  if (hasUnsupportedSignature(head) || isLikelyBinary(head)) return null;
  return mayBe(claimed, head) ? claimed : null;
}

function extensionOf(fileName: string): string {
  return /[^./\\](\.[^./\\\s]+)\s*$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** Whether the signature is in the first 1,024 bytes, as PDF readers accept (ISO 32000-1, implementation note 13). */
function hasPdfSignature(head: Uint8Array): boolean {
  return latin1(head.subarray(0, pdfSignatureWindowBytes)).includes('%PDF-');
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

/** Whether a text can have the format that its extension names. */
function mayBe(type: FileType, head: Uint8Array): boolean {
  if (type !== 'json' && type !== 'jsonl') return true;
  // Zero bytes are those of UTF-16 and UTF-32.
  const start = latin1(head.subarray(0, 1_024)).replaceAll('\0', '');
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:[[{"\d-]|true|false|null|$)/.test(start);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
