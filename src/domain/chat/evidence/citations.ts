import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';
import { type Statement, textCitingSource } from './cited-statements.ts';
import { findQuote } from './quote.ts';

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
  /** What the customer says about the document. Undefined in stored citations of an older version. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Returns one citation per hit, so that marker `[n]` refers to the n-th citation. Each `quote` supports the statements
 * that cite the hit. If no statement cites the hit, the quote is the passage that best matches
 * the question.
 */
export function citationsOf(
  hits: readonly Hit[],
  question: string,
  statements: readonly Statement[] = [],
): Citation[] {
  return hits.map((hit, index) => {
    const statement = textCitingSource(statements, index + 1) || question;
    return {
      documentId: hit.documentId,
      documentName: hit.documentName,
      chunkId: hit.chunkId,
      score: hit.score,
      quote: findQuote(statement, hit.content)?.quote ?? null,
      page: hit.page,
      startOffset: hit.startOffset,
      endOffset: hit.endOffset,
      sourceUrl: hit.sourceUrl,
      metadata: hit.metadata,
    };
  });
}
