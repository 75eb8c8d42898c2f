import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const unansweredQuestionsQuery = graphql(`
  query Unanswered($projectId: ID!, $status: QuestionStatus, $after: String) {
    unansweredQuestions(projectId: $projectId, status: $status, first: 30, after: $after) {
      edges {
        node {
          questionId
          question
          count
          previousCount
          badFeedbackCount
          lastAskedAt
          status
          documentId
          decidedBy
          decidedAt
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

export const decideQuestionMutation = graphql(`
  mutation DecideQuestion($input: DecideQuestionInput!) {
    decideQuestion(input: $input) {
      questionId
      status
    }
  }
`);

export const mergeQuestionsMutation = graphql(`
  mutation MergeQuestions($input: MergeQuestionsInput!) {
    mergeQuestions(input: $input) {
      questionId
    }
  }
`);
