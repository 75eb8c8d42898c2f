import { mimeTypeOf } from './extract/detect-type.ts';
import type { FileType } from './extract/extracted-text.ts';

const fileTypes: readonly FileType[] = ['pdf', 'docx', 'csv', 'markdown', 'txt'];

/** The file type that a stored document's MIME type stands for. */
export function fileTypeOf(mimeType: string): FileType {
  const type = fileTypes.find((candidate) => mimeTypeOf(candidate) === mimeType);
  if (type === undefined) throw new Error(`No reader for ${mimeType}`);
  return type;
}
