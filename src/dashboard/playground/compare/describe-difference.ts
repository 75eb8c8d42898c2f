/** The part of an answer that is compared. */
interface Compared {
  readonly content: string;
  readonly citations: readonly { readonly chunkId: string }[];
}

/** Returns whether an answer cites documents, with any confidence. The fallback text cites none. */
export function citesDocuments({ citations }: { readonly citations: readonly unknown[] }): boolean {
  return citations.length > 0;
}

/** Returns one sentence that says how two answers to a question differ. */
export function describeDifference(a: Compared, b: Compared): string {
  if (citesDocuments(a) && !citesDocuments(b)) return 'Only A answers. B refuses.';
  if (citesDocuments(b) && !citesDocuments(a)) return 'Only B answers. A refuses.';
  if (!citesDocuments(a)) return 'Both refuse.';
  if (a.content !== b.content) return 'Both answer, with different texts.';
  return sourcesOf(a) === sourcesOf(b)
    ? 'Both give the same answer.'
    : 'Both give the same answer, from different sources.';
}

function sourcesOf({ citations }: Compared): string {
  return citations.map(({ chunkId }) => chunkId).join();
}
