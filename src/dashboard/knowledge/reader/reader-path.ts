interface Passage {
  readonly documentId: string;
  readonly chunkId?: string;
  readonly quote?: string | null;
}

/**
 * Returns the path of a document's text. The passage `quote` of the chunk is highlighted. The fragment contains the
 * quote. Browsers do not send the fragment, so servers and proxies do not log the quote.
 */
export function readerPathOf(projectId: string, { documentId, chunkId, quote }: Passage): string {
  const path = `/${projectId}/knowledge/${documentId}/text`;
  if (chunkId === undefined) return path;
  const fragment = quote
    ? `#${new URLSearchParams({ quote: quote.slice(0, maxQuoteLength) })}`
    : '';
  return `${path}/${chunkId}${fragment}`;
}

/** Returns the quote in a fragment, or null if the fragment contains none. */
export function quoteOf(fragment: string): string | null {
  return new URLSearchParams(fragment.slice(1)).get('quote')?.slice(0, maxQuoteLength) || null;
}

/** In UTF-16 units. With a longer quote, some programs would cut off the URL. */
const maxQuoteLength = 600;
