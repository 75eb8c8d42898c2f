/** A context chunk that an answer cites. */
export interface Citation {
  readonly documentId: string;
  readonly documentName: string;
  readonly chunkId: string;
  /** Relevance of the chunk, 0 to 1. */
  readonly score: number;
  /** Verbatim quote from the chunk, or null if no sentence matches. */
  readonly quote: string | null;
  /** Page of a PDF or slide of a presentation, from 1; null for other formats. */
  readonly page: number | null;
  /** Position of the chunk in the document's extracted text. Offsets count Unicode code points. */
  readonly startOffset: number;
  readonly endOffset: number;
  /** Web address of the document, for readers. Undefined in citations that an older version has stored. */
  readonly sourceUrl?: string | null;
  /** Metadata that the customer has set on the document. Undefined in citations that an older version has stored. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
