import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const questionProposalsQuery = graphql(`
  query QuestionProposals($setId: ID!, $projectId: ID!, $page: Int!) {
    questionProposalPage(setId: $setId, projectId: $projectId, page: $page, limit: 20) {
      total
      totalPages
      data {
        question
        reason
        conversationId
        messageId
        askedAt
        count
        answer
        humanReply
      }
    }
  }
`);

export type QuestionProposal = ResultOf<
  typeof questionProposalsQuery
>['questionProposalPage']['data'][number];

/** Expected answer that the operator enters for a proposed question. */
export interface ProposalChoice {
  readonly conversationId: string;
  readonly question: string;
  readonly mustRefuse: boolean;
  /** Text of the field: one expected text per line. */
  readonly expected: string;
}
