import { formatBytes } from '../../format/format-bytes.ts';

export const supportedFormats = 'PDF, DOCX, TXT, CSV or Markdown';

/** File extensions of text formats. The service recognizes text formats by extension, but PDF and DOCX by content. */
const textExtensions = ['txt', 'text', 'log', 'csv', 'tsv', 'md', 'markdown', 'mdx'];

/** The `accept` attribute of the file input. */
export const acceptedExtensions = ['pdf', 'docx', ...textExtensions]
  .map((name) => `.${name}`)
  .join(',');

/** The largest file that may be uploaded. */
export interface UploadLimit {
  readonly bytes: number;
  /** Name of the plan that sets the limit. */
  readonly plan: string;
}

/** Returns why the service would reject the file, or null. The service may still reject a file that passes. */
export async function validateFile(file: File, limit: UploadLimit | null): Promise<string | null> {
  if (limit !== null && file.size > limit.bytes) {
    return `Too large: the ${limit.plan} plan allows ${formatBytes(limit.bytes)} per file.`;
  }
  if (file.size === 0) return 'The file is empty.';
  const extension = /[^./\\]\.([^./\\\s]+)\s*$/.exec(file.name)?.[1]?.toLowerCase();
  if (extension === undefined || textExtensions.includes(extension)) return null;
  const mayBeRead = await hasKnownSignature(file).catch(() => true);
  return mayBeRead ? null : `Unsupported format. Supported formats: ${supportedFormats}.`;
}

/**
 * Returns whether the file may be PDF or DOCX: the first 1,024 bytes contain the PDF signature or start with that of
 * ZIP.
 */
async function hasKnownSignature(file: File): Promise<boolean> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, 1_024).arrayBuffer());
  return head.includes('%PDF-') || head.startsWith('PK');
}
