import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { resultFields } from '../runs/result-operations.ts';
import { runFields } from '../runs/run-operations.ts';

export const comparisonQuery = graphql(
  `
    query CompareEvaluations($id: ID!, $otherId: ID!, $projectId: ID!) {
      compareEvaluations(id: $id, otherId: $otherId, projectId: $projectId) {
        before {
          ...RunFields
        }
        after {
          ...RunFields
        }
        figures {
          figure
          n
          before
          after
          verdict
        }
        changedCount
        changed {
          questionId
          question
          isBetter
          before {
            ...ResultFields
          }
          after {
            ...ResultFields
          }
        }
      }
    }
  `,
  [runFields, resultFields],
);

export type Comparison = ResultOf<typeof comparisonQuery>['compareEvaluations'];
export type FigureComparison = Comparison['figures'][number];
export type ChangedQuestion = Comparison['changed'][number];
