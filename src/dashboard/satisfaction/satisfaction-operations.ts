import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const satisfactionQuery = graphql(`
  query Satisfaction($organizationId: ID!, $projectId: ID!, $from: DateTime!) {
    satisfaction(organizationId: $organizationId, projectId: $projectId, from: $from) {
      asked
      ratings
      satisfied
      distribution
    }
  }
`);

export type SatisfactionFigures = ResultOf<typeof satisfactionQuery>['satisfaction'];

export const handoffRatingsQuery = graphql(`
  query HandoffRatings($projectId: ID!, $minRating: Int, $maxRating: Int, $after: String) {
    handoffRatings(
      projectId: $projectId
      minRating: $minRating
      maxRating: $maxRating
      first: 10
      after: $after
    ) {
      edges {
        node {
          handoffId
          agent
          rating
          comment
          ratedAt
          handoff {
            id
            conversationId
            conversation {
              id
              title
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const handoffRatingsOf = ({ handoffRatings }: ResultOf<typeof handoffRatingsQuery>) =>
  handoffRatings;
export type HandoffRatingNode = ReturnType<typeof handoffRatingsOf>['edges'][number]['node'];
