import { fileTypeFromMimeType } from '../../../extract/file-formats.ts';
import type { ExtractedChunks } from '../../../extract/process/extract-protocol.ts';
import type { Context } from '../../context.ts';
import { documentKey } from '../storage-key.ts';
import type { IngestionAttempt } from './start-attempt.ts';

/** Fields of a document that the extraction of its file needs. */
export type StoredDocument = Pick<
  IngestionAttempt,
  'id' | 'projectId' | 'organizationId' | 'fileId' | 'mimeType' | 'sizeBytes' | 'ocr'
>;

/**
 * Extracts the chunks of a document from its stored file.
 *
 * @throws ExtractError when the file cannot be read. Any other error means that a retry may succeed.
 */
export async function extractDocument(
  { storage, extractor, signal }: Pick<Context, 'storage' | 'extractor' | 'signal'>,
  document: StoredDocument,
): Promise<ExtractedChunks> {
  const { organizationId, sizeBytes, mimeType, ocr } = document;
  await using copy = await storage.getLocalCopy({ key: documentKey(document), sizeBytes }, signal);
  const type = fileTypeFromMimeType(mimeType);
  // `await` is necessary here: it keeps the local copy until extraction has finished.
  return await extractor.extract({ path: copy.path, type, ocr }, { signal, group: organizationId });
}
