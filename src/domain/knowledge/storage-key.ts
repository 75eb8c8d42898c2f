import type { Document } from './documents.ts';

/**
 * Returns the storage key of an original file. The key consists of ids only, so that a path never contains a name that
 * a caller has chosen.
 */
export function storageKey(projectId: string, fileId: string): string {
  return `${projectId}/${fileId}`;
}

/**
 * Returns the storage key of the current version of a document. Each version has its own file, so that a running
 * extraction never reads the bytes of another version.
 */
export function documentKey({
  projectId,
  id,
  fileId,
}: Pick<Document, 'projectId' | 'id' | 'fileId'>): string {
  return storageKey(projectId, fileId ?? id);
}
