import type { Citation } from '../conversations/citation.ts';

/** A citation in the form that visitors receive: without the ids of documents and chunks. */
export interface VisitorCitation {
  /** Number n of the citation marker `[n]` in the answer. */
  readonly number: number;
  readonly documentName: string;
  readonly quote: string | null;
  /** Web address of the document, for readers. Null if it has none. */
  readonly sourceUrl: string | null;
}

/**
 * Returns the citations to which the answer refers by number. If it refers to none, returns all citations. If the
 * answer was stopped before its first word, returns an empty list.
 */
export function visitorCitations(
  content: string,
  citations: readonly Citation[],
): VisitorCitation[] {
  if (content === '') return [];
  const numbered = citations.map(({ documentName, quote, sourceUrl }, index) => ({
    number: index + 1,
    documentName,
    quote,
    sourceUrl: sourceUrl ?? null,
  }));
  const cited = numbered.filter(({ number }) => content.includes(`[${number}]`));
  return cited.length > 0 ? cited : numbered;
}
