import { DomainError, isUniqueViolation } from '../../platform/errors.ts';
import type { Context } from '../context.ts';

/**
 * Stores a file, then calls `store` to store the row that refers to it. Removes the file if nothing was stored. A
 * process that dies in between leaves a file that `removeOrphanFiles` deletes.
 *
 * @throws DomainError UNAVAILABLE when the disk is full.
 */
export async function putDocumentFile<Result>(
  context: Context,
  key: string,
  path: string,
  store: () => Promise<Result>,
): Promise<Result> {
  context.disk.requireSpace();
  await context.storage.putFile(key, path, context.signal);
  try {
    return await store();
  } catch (error) {
    // After a lost connection, the row may have been stored. If it was not, `removeOrphanFiles` deletes the file later,
    // as it does if the removal fails.
    if (isRefusal(error)) await removeUnusedFile(context, key);
    throw error;
  }
}

/** Removes a file that no row refers to. */
export async function removeUnusedFile({ storage, log }: Context, key: string): Promise<void> {
  await storage
    .remove([key])
    .catch((error) =>
      log.warn({ err: error, key }, 'failed to remove the file of a document that was not stored'),
    );
}

/** Whether the error says for sure that nothing was stored. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError ? error.code !== 'UNAVAILABLE' : isUniqueViolation(error);
}
