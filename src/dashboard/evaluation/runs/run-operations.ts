import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

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
    isScheduled
    failedBounds {
      figure
      bound
      value
    }
    createdAt
  }
`);

export type Run = ResultOf<typeof runFields>;

/** A run with the figures that a list shows. */
export const listedRunFields = graphql(
  `
    fragment ListedRunFields on EvaluationRun {
      ...RunFields
      figures {
        containsExpected
        firstCitationRight
        modelRight
        refusedRight
        refusedWrongly
      }
    }
  `,
  [runFields],
);

export type ListedRun = ResultOf<typeof listedRunFields>;

export const runQuery = graphql(
  `
    query EvaluationRun($id: ID!, $projectId: ID!) {
      evaluationRun(id: $id, projectId: $projectId) {
        ...RunFields
        error
        judgeModel
        agreement {
          n
          share
          low
          high
          kappa
        }
        figures {
          recallAt1
          recallAt5
          mrr
          firstCitationRight
          containsExpected
          refusedRight
          refusedWrongly
          modelRight
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
            modelRight
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
export type Agreement = NonNullable<DetailedRun['agreement']>;
export type Figures = NonNullable<DetailedRun['figures']>;

/** The latest runs of a set. */
export const runsOfSetQuery = graphql(
  `
    query RunsOfSet($setId: ID!, $projectId: ID!) {
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
  mutation StartEvaluation(
    $setId: ID!
    $candidate: EvaluationCandidateInput
    $judgeByModel: Boolean
  ) {
    startEvaluation(
      input: { setId: $setId, candidate: $candidate, judgeByModel: $judgeByModel }
    ) {
      id
    }
  }
`);

/** The language model of the installation, which can judge answers. Null without one. */
export const judgeQuery = graphql(`
  query Judge($projectId: ID!) {
    project(id: $projectId) {
      id
      installedLanguageModel {
        name
      }
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
