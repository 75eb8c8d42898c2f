import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { citationFields } from '../../transcript/citations.tsx';
import { traceFields } from '../../transcript/trace/trace-query.ts';

export const resultFields = graphql(
  `
    fragment ResultFields on EvaluationResult {
      questionId
      question
      expected
      documentId
      documentName
      mustRefuse
      tags
      language
      answer
      citations {
        ...CitationFields
      }
      confidence
      isDocumentMissing
      rank
      firstCitationRight
      containsExpected
      refused
      modelVerdict
      modelReason
      mark
      error
    }
  `,
  [citationFields],
);

export type Result = ResultOf<typeof resultFields>;

/** A mark of null removes the mark. */
export const markResultMutation = graphql(`
  mutation MarkResult($runId: ID!, $questionId: ID!, $mark: AnswerVerdict) {
    markEvaluationResult(input: { runId: $runId, questionId: $questionId, mark: $mark }) {
      questionId
      mark
    }
  }
`);

export const resultsQuery = graphql(
  `
    query EvaluationResults($id: ID!, $projectId: ID!, $page: Int!, $limit: Int!) {
      evaluationResultPage(id: $id, projectId: $projectId, page: $page, limit: $limit) {
        total
        totalPages
        data {
          ...ResultFields
        }
      }
    }
  `,
  [resultFields],
);

/** Results of a page of `resultsQuery`. */
export const resultsPerPage = 20;

/** The trace of one result. `page` is its position in the run, from 1. */
export const resultTraceQuery = graphql(
  `
    query ResultTrace($id: ID!, $projectId: ID!, $page: Int!) {
      evaluationResultPage(id: $id, projectId: $projectId, page: $page, limit: 1) {
        data {
          questionId
          trace {
            ...TraceFields
          }
        }
      }
    }
  `,
  [traceFields],
);
