import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

const effectFields = graphql(`
  fragment ThresholdEffectFields on ThresholdEffect {
    threshold
    answers
    wrong
    wrongAtMost
    answerable
    answerableRefused
    questions
    questionsRefused
  }
`);

export type ThresholdEffect = ResultOf<typeof effectFields>;

export const confidenceQuery = graphql(
  `
    query ProjectConfidence($projectId: ID!, $basis: ConfidenceBasis) {
      projectConfidence(projectId: $projectId, basis: $basis) {
        answers
        accepted
        fromRatings
        fromQuestionSets
        mapNeeds {
          answers
          ofEach
        }
        map {
          points {
            confidence
            accepted
            low
            high
          }
          calibrationErrorBefore
          calibrationErrorAfter
          verdict
        }
        current {
          ...ThresholdEffectFields
        }
        curve {
          threshold
          answers
          wrong
          answerableRefused
          questionsRefused
        }
        promises {
          maxWrong
          answersNeeded
          kept {
            ...ThresholdEffectFields
          }
        }
      }
    }
  `,
  [effectFields],
);

export type ProjectConfidence = ResultOf<typeof confidenceQuery>['projectConfidence'];
export type ConfidenceMap = NonNullable<ProjectConfidence['map']>;
export type ThresholdPoint = ProjectConfidence['curve'][number];
export type ConfidencePromise = ProjectConfidence['promises'][number];
