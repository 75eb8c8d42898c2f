import type { LocalCopy } from '../../platform/storage/document-storage.ts';
import type { Context } from '../context.ts';
import { getDocument } from './documents.ts';
import { documentKey } from './storage-key.ts';

/** The stored file of a document. */
export interface DocumentOriginal {
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly file: DocumentFile;
}

/** A file whose content is read only when needed. Only usable in this process. */
export interface DocumentFile {
  /**
   * Returns a local copy of the file. The caller must dispose of the copy.
   * @throws DomainError NOT_FOUND when the document was replaced or deleted in the meantime.
   */
  open(): Promise<LocalCopy>;
  /** Serializes to null, because a JSON response cannot contain the file. */
  toJSON(): null;
}

/**
 * Returns the original file or text of the latest version of a document.
 *
 * @throws DomainError from `getDocument`.
 */
export async function getDocumentOriginal(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
): Promise<DocumentOriginal> {
  const document = await getDocument(context, input);
  const { name, mimeType } = document;
  const sizeBytes = Number(document.sizeBytes);
  const open = () =>
    context.storage.getLocalCopy({ key: documentKey(document), sizeBytes }, context.signal);
  return { name, mimeType, sizeBytes, file: { open, toJSON: () => null } };
}
