/**
 * Returns the storage key of a document's original file. It consists of ids only, so that a path never contains a name
 * chosen by a caller.
 */
export function storageKey(projectId: string, documentId: string): string {
  return `${projectId}/${documentId}`;
}
