import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { citationFields } from '../../transcript/citations.tsx';

export const runFields = graphql(`
  fragment RunFields on EvaluationRun {
    id
    setId
    setVersion
    status
    candidate
    progress {
      done
      total
    }
    createdAt
  }
`);

export type Run = ResultOf<typeof runFields>;

export const runQuery = graphql(
  `
    query EvaluationRun($id: ID!, $projectId: ID!) {
      evaluationRun(id: $id, projectId: $projectId) {
        ...RunFields
        error
        figures {
          recallAt1
          recallAt5
          mrr
          firstCitationRight
          containsExpected
          refusedRight
          refusedWrongly
          auroc
          calibrationError
          calibrationErrorLow
          calibrationErrorHigh
          latencyP50Ms
          latencyP95Ms
          tokens
          n {
            recallAt1
            recallAt5
            mrr
            firstCitationRight
            containsExpected
            refusedRight
            refusedWrongly
            auroc
            calibrationError
            latencyP50Ms
            latencyP95Ms
            tokens
          }
          reliability {
            from
            to
            n
            meanConfidence
            right
          }
        }
      }
    }
  `,
  [runFields],
);

export type DetailedRun = ResultOf<typeof runQuery>['evaluationRun'];
export type Figures = NonNullable<DetailedRun['figures']>;
export type ReliabilityBin = Figures['reliability'][number];

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
      error
    }
  `,
  [citationFields],
);

export type Result = ResultOf<typeof resultFields>;

export const resultsQuery = graphql(
  `
    query EvaluationResults($id: ID!, $projectId: ID!, $page: Int!) {
      evaluationResultPage(id: $id, projectId: $projectId, page: $page, limit: 20) {
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

/** Name of a set, and its latest runs. */
export const runsOfSetQuery = graphql(
  `
    query RunsOfSet($setId: ID!, $projectId: ID!) {
      questionSet(id: $setId, projectId: $projectId) {
        name
      }
      evaluationRunPage(projectId: $projectId, setId: $setId, page: 1, limit: 100) {
        data {
          ...RunFields
        }
      }
    }
  `,
  [runFields],
);

export const startEvaluationMutation = graphql(`
  mutation StartEvaluation($setId: ID!, $candidate: EvaluationCandidateInput) {
    startEvaluation(input: { setId: $setId, candidate: $candidate }) {
      id
    }
  }
`);

export const cancelEvaluationMutation = graphql(`
  mutation CancelEvaluation($id: ID!) {
    cancelEvaluation(input: { id: $id }) {
      id
      status
    }
  }
`);
