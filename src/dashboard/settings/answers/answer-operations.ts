import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const answerSettingsQuery = graphql(`
  query AnswerSettings($projectId: ID!) {
    project(id: $projectId) {
      id
      updatedAt
      assistant {
        confidenceThreshold
      }
    }
    confidenceCurve(projectId: $projectId) {
      defaultThreshold
      ratedAnswers
      questions
      points {
        threshold
        ratedAnswers
        helpfulAnswers
        coverage
        precision
        answers
      }
    }
  }
`);

type AnswerSettings = ResultOf<typeof answerSettingsQuery>;

export type ProjectAnswers = NonNullable<AnswerSettings['project']>;

export type ConfidenceCurve = AnswerSettings['confidenceCurve'];

export type ConfidencePoint = ConfidenceCurve['points'][number];
