import type { Hit } from '../knowledge/hybrid-search.ts';
import { citedSources } from './cited-sources.ts';
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
