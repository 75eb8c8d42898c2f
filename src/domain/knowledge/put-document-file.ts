import { DomainError, isUniqueViolation } from '../../platform/errors.ts';
import type { FileContent } from '../../platform/storage/document-storage.ts';
import type { Context } from '../context.ts';

/**
 * Stores a file, and then calls `store`, which stores the row that refers to the file. If `store` stores nothing,
 * removes the file. If the process dies in between, the file remains until `removeOrphanFiles` deletes it.
 *
 * @throws DomainError UNAVAILABLE when the disk is full.
 */
export async function putDocumentFile<Result>(
  context: Context,
  key: string,
  content: FileContent,
  store: () => Promise<Result>,
): Promise<Result> {
  context.disk.requireSpace();
  await context.storage.putFile(key, content, context.signal);
  try {
    return await store();
  } catch (error) {
    // After a lost connection, the row may have been stored, so the file must stay. If the row was not stored, or if
    // the removal here fails, `removeOrphanFiles` deletes the file later.
    if (isRefusal(error)) await removeUnusedFile(context, key);
    throw error;
  }
}

/** Removes a file to which no row refers. */
export async function removeUnusedFile({ storage, log }: Context, key: string): Promise<void> {
  await storage
    .remove([key])
    .catch((error) =>
      log.warn({ err: error, key }, 'failed to remove the file of a document that was not stored'),
    );
}

/** Returns whether the error proves that nothing was stored. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError ? error.code !== 'UNAVAILABLE' : isUniqueViolation(error);
}
