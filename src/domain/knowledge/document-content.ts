import { createHash } from 'node:crypto';
import {
  damagedTypeOf,
  detectFileType,
  isOldOfficeFile,
} from '../../extract/detect/detect-file-type.ts';
import {
  damagedFileProblem,
  fileTypeOfName,
  mimeTypeOf,
  supportedFormats,
} from '../../extract/file-formats.ts';
import { DomainError } from '../../platform/errors.ts';
import type { FileContent } from '../../platform/storage/document-storage.ts';
import type { UploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { Document } from './documents.ts';
import { documentTitle } from './ingestion/chunk-terms.ts';

/** A name and a file. A document is created from them, or its content is replaced with them. */
export interface DocumentContent
  extends Pick<Document, 'name' | 'sourceType' | 'mimeType' | 'contentHash'> {
  readonly sizeBytes: number;
  readonly file: FileContent;
}

/** Returns the content of a text, as UTF-8. By default, the name determines whether the text is Markdown. */
export function textContent(text: {
  readonly name: string;
  readonly content: string;
  readonly isMarkdown?: boolean;
}): DocumentContent {
  const { name, content } = text;
  const file = Buffer.from(content, 'utf8');
  const isMarkdown = text.isMarkdown ?? fileTypeOfName(name) === 'markdown';
  return {
    name,
    file,
    sourceType: 'TEXT',
    mimeType: mimeTypeOf(isMarkdown ? 'markdown' : 'txt'),
    sizeBytes: file.length,
    contentHash: createHash('sha256').update(file).digest('hex'),
  };
}

/**
 * Returns the content of an uploaded file. The file type is detected from the bytes and, if that fails, from the file
 * name.
 *
 * @throws DomainError UNSUPPORTED_FILE when the file is empty or damaged, or its type is not supported.
 */
export function fileContent(file: UploadedFile): DocumentContent {
  if (file.sizeBytes === 0) throw unsupported('The file is empty');
  const type = detectFileType(file.head, file.name);
  if (type === null) throw unreadable(file);
  return {
    name: file.name,
    file: file.path,
    sourceType: 'FILE',
    mimeType: mimeTypeOf(type),
    sizeBytes: file.sizeBytes,
    contentHash: file.sha256,
  };
}

/**
 * Returns whether the content would give the same chunks as the document already has. Chunks contain the title of the
 * document, so the title must be equal, too.
 */
export function isSameContent(
  document: Pick<Document, 'name' | 'mimeType' | 'contentHash'>,
  content: DocumentContent,
): boolean {
  return (
    document.contentHash === content.contentHash &&
    document.mimeType === content.mimeType &&
    documentTitle(document.name) === documentTitle(content.name)
  );
}

function unreadable({ head, name }: UploadedFile): DomainError {
  const damaged = damagedTypeOf(head, name);
  if (damaged !== null) {
    const next = 'Open it in the program that wrote it, and save it again.';
    return new DomainError('UNSUPPORTED_FILE', `${damagedFileProblem(damaged)}. ${next}`);
  }
  return unsupported(
    isOldOfficeFile(head, name)
      ? 'Office 2003 and earlier is not supported: save the file as DOCX, XLSX or PPTX'
      : "The file's format is not supported",
  );
}

function unsupported(problem: string): DomainError {
  return new DomainError('UNSUPPORTED_FILE', `${problem}. Supported formats: ${supportedFormats}`);
}
