import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';
import { handoffFacts } from '../transcript/handoff-facts.ts';

const handoffRow = graphql(
  `
  fragment HandoffRow on Handoff @_unmask {
    ...HandoffFacts
    conversationId
    satisfaction {
      handoffId
      rating
    }
    unreadCount
    conversation {
      id
      title
      endUserId
      endUserName
      endUserEmail
      labels {
        id
        name
        color
      }
      lastMessage {
        messageId
        role
        text
      }
    }
  }
`,
  [handoffFacts],
);
export type HandoffRow = ResultOf<typeof handoffRow>;

export const handoffsQuery = graphql(
  `
    query Handoffs(
      $projectId: ID!
      $status: HandoffStatus
      $claimedBy: String
      $search: String
      $labelId: ID
      $order: HandoffOrder!
      $hasOverdueFirst: Boolean!
      $after: String
    ) {
      overdue: handoffs(
        projectId: $projectId
        status: $status
        claimedBy: $claimedBy
        search: $search
        labelId: $labelId
        latestOnly: true
        isOverdue: true
        order: OLDEST_FIRST
        first: 30
      ) @include(if: $hasOverdueFirst) {
        edges {
          node {
            ...HandoffRow
          }
        }
      }
      handoffs(
        projectId: $projectId
        status: $status
        claimedBy: $claimedBy
        search: $search
        labelId: $labelId
        latestOnly: true
        order: $order
        first: 30
        after: $after
      ) {
        edges {
          node {
            ...HandoffRow
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [handoffRow],
);

/** Returns the handoffs of a page. The overdue handoffs of the list come before them, and may be among them again. */
export function handoffsOf({
  overdue,
  handoffs: { edges, pageInfo },
}: ResultOf<typeof handoffsQuery>) {
  return { edges: [...(overdue?.edges ?? []), ...edges], pageInfo };
}

export const claimHandoffMutation = graphql(`
  mutation ClaimHandoff($handoffId: ID!) {
    claimHandoff(input: { handoffId: $handoffId }) {
      id
      status
      claimedBy
    }
  }
`);

export const takeOverConversationMutation = graphql(`
  mutation TakeOverConversation($projectId: ID!, $conversationId: ID!) {
    takeOverConversation(input: { projectId: $projectId, conversationId: $conversationId }) {
      id
      status
      claimedBy
    }
  }
`);

export const markConversationReadMutation = graphql(`
  mutation MarkConversationRead($conversationId: ID!, $messageId: ID!) {
    markConversationRead(input: { conversationId: $conversationId, messageId: $messageId })
  }
`);

export const replyToConversationMutation = graphql(`
  mutation Reply($conversationId: ID!, $content: String!, $messageId: ID!) {
    replyToConversation(
      input: { conversationId: $conversationId, content: $content, messageId: $messageId }
    ) {
      id
    }
  }
`);

export const addConversationNoteMutation = graphql(`
  mutation AddNote($conversationId: ID!, $content: String!, $noteId: ID!) {
    addConversationNote(
      input: { conversationId: $conversationId, content: $content, noteId: $noteId }
    ) {
      id
    }
  }
`);

export const transferHandoffMutation = graphql(`
  mutation TransferHandoff($handoffId: ID!, $to: String!, $note: String) {
    transferHandoff(input: { handoffId: $handoffId, to: $to, note: $note }) {
      id
      claimedBy
    }
  }
`);

export const releaseHandoffMutation = graphql(`
  mutation ReleaseHandoff($handoffId: ID!, $note: String) {
    releaseHandoff(input: { handoffId: $handoffId, note: $note }) {
      id
      status
      claimedBy
    }
  }
`);

export const resolveHandoffMutation = graphql(`
  mutation ResolveHandoff($handoffId: ID!) {
    resolveHandoff(input: { handoffId: $handoffId }) {
      id
      status
    }
  }
`);

export const returnToAssistantMutation = graphql(`
  mutation ReturnToAssistant($handoffId: ID!) {
    returnToAssistant(input: { handoffId: $handoffId }) {
      id
      status
    }
  }
`);

export const membersQuery = graphql(`
  query Members($organizationId: ID!) {
    organization(id: $organizationId) {
      id
      members(first: 100) {
        edges {
          node {
            id
            email
            role
          }
        }
      }
    }
  }
`);
