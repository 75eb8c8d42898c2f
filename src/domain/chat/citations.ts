import type { Hit } from '../knowledge/hybrid-search.ts';
import { findQuote } from './quote.ts';
import { statementsCiting } from './statements.ts';

/** A chunk that was given to the model as a ground for its answer. */
export interface Citation {
  readonly documentId: string;
  readonly documentName: string;
  readonly chunkId: string;
  /** Relevance, 0 to 1. */
  readonly score: number;
  /** Verbatim from the chunk. */
  readonly quote: string | null;
  /** From 1; PDF only. */
  readonly page: number | null;
  /** Unicode code points of the document's extracted text. */
  readonly startOffset: number;
  readonly endOffset: number;
}

/**
 * The citations of an answer: markers `[n]` point to the n-th. Each quotes what supports the statements that
 * cite it; where there is none, or no answer yet, what speaks to the question.
 */
export function citationsOf(hits: readonly Hit[], question: string, content = ''): Citation[] {
  return hits.map((hit, index) => {
    const statement = statementsCiting(content, index + 1) || question;
    return {
      documentId: hit.documentId,
      documentName: hit.documentName,
      chunkId: hit.chunkId,
      score: hit.score,
      quote: findQuote(statement, hit.content)?.quote ?? null,
      page: hit.page,
      startOffset: hit.startOffset,
      endOffset: hit.endOffset,
    };
  });
}
