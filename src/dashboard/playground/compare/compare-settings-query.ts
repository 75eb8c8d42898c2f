import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { answerModelFields } from '../../settings/answers/answer-operations.ts';

/** The settings of the project that a comparison starts from. */
export const compareSettingsQuery = graphql(
  `
    query CompareSettings($projectId: ID!) {
      project(id: $projectId) {
        id
        ...AnswerModelFields
      }
    }
  `,
  [answerModelFields],
);

export type ComparedProject = NonNullable<ResultOf<typeof compareSettingsQuery>['project']>;
