import type { Citation } from '../../conversations/citation.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';
import { type Statement, textCitingSource } from './cited-statements.ts';
import { findQuote } from './quote.ts';

/**
 * Returns one citation per hit, so that marker `[n]` refers to the n-th citation. The `quote` of a citation is the
 * passage that supports the statements which cite the hit. If no statement cites the hit, the quote is the passage that
 * best matches the question.
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
