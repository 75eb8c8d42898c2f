import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const unansweredQuestionsQuery = graphql(`
  query Unanswered($projectId: ID!, $after: String) {
    unansweredQuestions(projectId: $projectId, first: 30, after: $after) {
      edges {
        node {
          question
          count
          badFeedbackCount
          lastAskedAt
          conversationIds
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const questionsOf = (data: ResultOf<typeof unansweredQuestionsQuery>) =>
  data.unansweredQuestions;

export type UnansweredQuestion = ReturnType<typeof questionsOf>['edges'][number]['node'];
