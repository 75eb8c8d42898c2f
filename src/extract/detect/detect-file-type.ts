import {
  extensionOf,
  type FileType,
  fileFormats,
  fileTypeOfName,
  type ImageType,
  isImageType,
  isTextFormat,
} from '../file-formats.ts';
import { detectArchiveType, isIncompleteArchive } from './detect-archive-type.ts';
import { isLikelyBinary } from './is-likely-binary.ts';

/**
 * Types of texts that programs save with an extension of Office before 2007. HTML is missing here, because it is
 * recognized by its content.
 */
const typesOfOldExtensions = new Map<string, FileType>([
  ['.xls', 'csv'],
  ['.doc', 'txt'],
]);
const oldExtensions = new Set(['.doc', '.dot', '.xls', '.xlt', '.ppt', '.pps', '.pot']);

const pdfSignatureWindowBytes = 1_024;
const htmlSignatureWindowBytes = 4_096;

/**
 * Returns the file type, or null if it is not supported. Detects PDF, RTF, images, archives and whole HTML pages by
 * content. Detects text formats by file extension; HTML and delimited values may also be named `.xls` or `.doc`.
 * Returns null if the extension belongs to another format that has a signature, such as for a PDF named `.docx`. An
 * image may have the extension of another image format.
 * @param head the whole file, or its first bytes (at least a few kilobytes).
 */
export function detectFileType(head: Uint8Array, fileName: string): FileType | null {
  const claimed = fileTypeOfName(fileName);
  const byContent = detectSignature(head) ?? detectArchiveType(head, claimed);
  if (byContent !== null) {
    const isClaimed = claimed === null || claimed === byContent || isTextFormat(claimed);
    return isClaimed || (isImageType(byContent) && isImageType(claimed)) ? byContent : null;
  }
  if (claimed !== null && !isTextFormat(claimed)) return null;
  if (hasUnsupportedSignature(head) || isLikelyBinary(head)) return null;
  if (claimed === null || claimed === 'txt') {
    return hasHtmlSignature(head) ? 'html' : (claimed ?? typeOfOldExtension(head, fileName));
  }
  return mayBe(claimed, head) ? claimed : null;
}

/**
 * Returns the type that the extension of a file claims, if the content is of no known format, so that the file is
 * damaged. Returns null if the content is of a known format, or if the extension is that of a text.
 * @param head a file for which `detectFileType` has returned null, or its first bytes.
 */
export function damagedTypeOf(head: Uint8Array, fileName: string): FileType | null {
  const claimed = fileTypeOfName(fileName);
  if (claimed === null || isTextFormat(claimed)) return null;
  if (isArchive(claimed) && isIncompleteArchive(head)) return claimed;
  const isOther = detectSignature(head) !== null || hasUnsupportedSignature(head);
  return isOther || hasHtmlSignature(head) ? null : claimed;
}

/** Whether files of the type are zip archives: OOXML, OpenDocument and EPUB. */
function isArchive(type: FileType): boolean {
  return /openxmlformats|opendocument|epub/.test(fileFormats[type].mimeType);
}

function detectSignature(head: Uint8Array): FileType | null {
  if (latin1(head.subarray(0, 5)) === '{\\rtf') return 'rtf';
  return detectImageType(head) ?? (hasPdfSignature(head) ? 'pdf' : null);
}

/** Returns the image type by signature. TIFF files above 4 GiB have another signature and are not supported. */
function detectImageType(head: Uint8Array): ImageType | null {
  const start = latin1(head.subarray(0, 12));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'webp';
  return /^(?:II\*\0|MM\0\*)/.test(start) ? 'tiff' : null;
}

/**
 * Whether the PDF signature is in the first 1,024 bytes. PDF readers accept this too (ISO 32000-1, implementation note
 * 13).
 */
function hasPdfSignature(head: Uint8Array): boolean {
  return latin1(head.subarray(0, pdfSignatureWindowBytes)).includes('%PDF-');
}

/**
 * Whether the file has the signature of an unsupported format that can be confused with text: PostScript, archives,
 * OLE, images.
 */
function hasUnsupportedSignature(head: Uint8Array): boolean {
  return /^(?:%!PS|PK\x03\x04|PK\x05\x06|\xd0\xcf\x11\xe0|\x89PNG|GIF8|\xff\xd8\xff|Rar!|7z\xbc\xaf|\x1f\x8b)/.test(
    latin1(head.subarray(0, 8)),
  );
}

/**
 * Whether the text starts like an HTML page, possibly after an XML declaration and comments. Ignores the zero bytes of
 * UTF-16.
 */
function hasHtmlSignature(head: Uint8Array): boolean {
  const text = latin1(head.subarray(0, htmlSignatureWindowBytes)).replaceAll('\0', '');
  const start = text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').trimStart();
  const page = start
    .replace(/^<\?xml[^>]*>\s*/i, '')
    .replace(/^(?:<!--(?:(?!-->)[\s\S])*-->\s*)+/, '');
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(page);
}

/** Whether the file has the binary format that Word, Excel or PowerPoint used before 2007. */
export function isOldOfficeFile(head: Uint8Array, fileName: string): boolean {
  const isOle = latin1(head.subarray(0, 4)) === '\xd0\xcf\x11\xe0';
  return isOle && oldExtensions.has(extensionOf(fileName));
}

function typeOfOldExtension(head: Uint8Array, fileName: string): FileType | null {
  const type = typesOfOldExtensions.get(extensionOf(fileName)) ?? null;
  const isHtml = /^\s*<[a-z!]/i.test(latin1(head.subarray(0, 1_024)));
  return type !== null && isHtml ? 'html' : type;
}

/** Whether a text can be of the type that its file extension names. */
function mayBe(type: FileType, head: Uint8Array): boolean {
  // An email starts with a header.
  if (type === 'eml') return /^[!-9;-~]{1,76}:/.test(latin1(head.subarray(0, 100)));
  if (type !== 'json' && type !== 'jsonl') return true;
  // UTF-16 and UTF-32 contain zero bytes.
  const start = latin1(head.subarray(0, 1_024)).replaceAll('\0', '');
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:[[{"\d-]|true|false|null|$)/.test(start);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
