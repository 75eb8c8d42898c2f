import type { Citation } from '../conversations/citation.ts';

/** A citation as visitors see it: without the ids of documents and chunks. */
export interface VisitorCitation {
  /** Number n of the citation marker `[n]` in the answer. */
  readonly number: number;
  readonly documentName: string;
  readonly quote: string | null;
  /** Address of the document for readers, or null. */
  readonly sourceUrl: string | null;
}

/**
 * Returns the citations that the answer refers to by number, or all citations if it refers to none. Returns none
 * for an answer that was stopped before its first word.
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
