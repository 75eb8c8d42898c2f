import {
  damagedFileProblem,
  extensionOf,
  fileFormats,
  fileTypeOfName,
  isTextFormat,
  supportedFormats,
} from '../../../extract/file-formats.ts';
import { formatBytes } from '../../format/format-bytes.ts';

/** The `accept` attribute of the file input. */
export const acceptedExtensions = Object.values(fileFormats)
  .flatMap(({ extensions }) => extensions.filter(Boolean))
  .join(',');

/** The largest file that may be uploaded. */
export interface UploadLimit {
  readonly bytes: number;
  /** Name of the plan that sets the limit. */
  readonly plan: string;
}

/**
 * Returns why the service would reject the file, or null. If this returns null, the service may still reject the file.
 */
export async function validateFile(file: File, limit: UploadLimit | null): Promise<string | null> {
  if (limit !== null && file.size > limit.bytes) {
    return `Too large: the ${limit.plan} plan allows ${formatBytes(limit.bytes)} per file.`;
  }
  if (file.size === 0) return 'The file is empty.';
  const type = fileTypeOfName(file.name);
  const mayBeRead =
    (type !== null && isTextFormat(type)) ||
    (await mayHaveKnownContent(file, extensionOf(file.name)).catch(() => true));
  if (!mayBeRead && type !== null) return `${damagedFileProblem(type)}.`;
  return mayBeRead ? null : `Unsupported format. Supported formats: ${supportedFormats}.`;
}

/**
 * Returns whether the start of the file shows a supported format: a PDF signature in the first 1,024 bytes, an RTF, an
 * image or a zip archive. Also returns true for a file with an old Office extension that is not a real Office file,
 * because programs give these extensions to HTML and tables, too.
 */
async function mayHaveKnownContent(file: File, extension: string): Promise<boolean> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, 1_024).arrayBuffer());
  const isImage = /^(?:\x89PNG|\xff\xd8\xff|RIFF[\s\S]{4}WEBP|II\*\0|MM\0\*)/.test(head);
  const isTextOfOffice = /^\.(?:xls|doc)$/.test(extension) && !head.startsWith('\xd0\xcf\x11\xe0');
  return isImage || isTextOfOffice || /%PDF-|^PK|^\{\\rtf/.test(head);
}
