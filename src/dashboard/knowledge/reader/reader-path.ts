interface Passage {
  readonly documentId: string;
  readonly chunkId?: string;
  readonly quote?: string | null;
}

/**
 * Returns the path of a document's text. The passage `quote` of the chunk is highlighted. The quote is in the fragment,
 * which browsers do not send: servers and proxies on the way do not log it.
 */
export function readerPathOf(projectId: string, { documentId, chunkId, quote }: Passage): string {
  const path = `/${projectId}/knowledge/${documentId}/text`;
  if (chunkId === undefined) return path;
  const fragment = quote
    ? `#${new URLSearchParams({ quote: quote.slice(0, maxQuoteLength) })}`
    : '';
  return `${path}/${chunkId}${fragment}`;
}

/** Returns the quote in a fragment. Null if there is none. */
export function quoteOf(fragment: string): string | null {
  return new URLSearchParams(fragment.slice(1)).get('quote')?.slice(0, maxQuoteLength) || null;
}

/** UTF-16 units. Longer quotes would make an address that some programs cut off. */
const maxQuoteLength = 600;
