import type { Citation } from '../chat/citations.ts';

/** What a visitor is told of a ground: nothing that leads into the knowledge. */
export interface VisitorCitation {
  /** Of the markers `[n]` in the answer. */
  readonly number: number;
  readonly documentName: string;
  readonly quote: string | null;
}

/**
 * The grounds that an answer cites or, where it cites none by number, all that it was made from. One that was stopped
 * before its first word was made from nothing.
 */
export function visitorCitations(
  content: string,
  citations: readonly Citation[],
): VisitorCitation[] {
  if (content === '') return [];
  const numbered = citations.map(({ documentName, quote }, index) => ({
    number: index + 1,
    documentName,
    quote,
  }));
  const cited = numbered.filter(({ number }) => content.includes(`[${number}]`));
  return cited.length > 0 ? cited : numbered;
}
