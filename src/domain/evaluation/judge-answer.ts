import type { Citation } from '../conversations/citation.ts';
import type { Hit } from '../knowledge/retrieval/hybrid-search.ts';
import { type Expectation, namesDocument } from './expectation.ts';
import { createAnswerMatcher } from './match-answer.ts';

/** Number of results that are searched for the expected document. */
export const judgedResults = 10;

/** Judgement that needs no language model. A field is null if it does not apply to the question. */
export interface Judgement {
  /** Whether the expected document does not exist, or is not searched. The rank and the citation are then not judged. */
  readonly isDocumentMissing: boolean;
  /** Rank of the expected document among the different documents of the results, from 1. Null if it was not found. */
  readonly rank: number | null;
  readonly firstCitationRight: boolean | null;
  /** Whether the answer contains one alternative of each expected text. */
  readonly containsExpected: boolean | null;
  /** Whether the assistant has said that it does not know. */
  readonly refused: boolean;
}

export function judgeAnswer(
  expectation: Expectation,
  {
    isDocumentMissing,
    hits,
  }: {
    readonly isDocumentMissing: boolean;
    readonly hits: readonly Pick<Hit, 'documentId' | 'documentName'>[];
  },
  { content, citations }: { readonly content: string; readonly citations: readonly Citation[] },
): Judgement {
  const { expected, mustRefuse } = expectation;
  const isFindable = isDocumentJudged(expectation) && !isDocumentMissing;
  const [first] = citations;
  return {
    isDocumentMissing,
    rank: isFindable ? rankOf(expectation, hits) : null,
    firstCitationRight: isFindable ? first !== undefined && isExpected(expectation, first) : null,
    containsExpected:
      mustRefuse || expected.length === 0 ? null : expected.every(createAnswerMatcher(content)),
    // Only the fallback text and the refusal of a model have no citations.
    refused: citations.length === 0,
  };
}

/** Whether the question expects that a certain document is found. */
export function isDocumentJudged(expectation: Expectation): boolean {
  return !expectation.mustRefuse && namesDocument(expectation);
}

function rankOf(
  expectation: Expectation,
  hits: readonly Pick<Hit, 'documentId' | 'documentName'>[],
): number | null {
  const documents = [...new Map(hits.map((hit) => [hit.documentId, hit])).values()];
  const index = documents.findIndex((document) => isExpected(expectation, document));
  return index < 0 ? null : index + 1;
}

function isExpected(
  { documentId, documentName }: Expectation,
  found: { readonly documentId: string; readonly documentName: string },
): boolean {
  if (documentId !== null) return found.documentId === documentId;
  return found.documentName === documentName;
}
