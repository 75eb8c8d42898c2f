/** Where a document's original is kept: ids only, so that no name a caller chose is ever part of a path. */
export function storageKey(projectId: string, documentId: string): string {
  return `${projectId}/${documentId}`;
}
