import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const savedRepliesQuery = graphql(`
  query SavedReplies($projectId: ID!) {
    savedReplies(projectId: $projectId) {
      id
      name
      content
    }
  }
`);

export type SavedReply = ResultOf<typeof savedRepliesQuery>['savedReplies'][number];
