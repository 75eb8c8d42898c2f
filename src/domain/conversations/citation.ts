/** A context chunk of an answer. */
export interface Citation {
  readonly documentId: string;
  readonly documentName: string;
  readonly chunkId: string;
  /** Relevance, 0 to 1. */
  readonly score: number;
  /** Verbatim quote from the chunk, or null if no sentence matches. */
  readonly quote: string | null;
  /** Page of a PDF or slide of a presentation, from 1; null for other formats. */
  readonly page: number | null;
  /** Offsets into the document's extracted text, in Unicode code points. */
  readonly startOffset: number;
  readonly endOffset: number;
  /** Address of the document for readers. Undefined in stored citations of an older version. */
  readonly sourceUrl?: string | null;
  /** Metadata that the customer has set on the document. Undefined in stored citations of an older version. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
