import { messageFields } from '../conversations/transcript.tsx';
import { graphql } from '../graphql/graphql.ts';

export const handoffsQuery = graphql(`
  query Handoffs($projectId: ID!, $status: HandoffStatus, $after: String) {
    handoffs(projectId: $projectId, status: $status, first: 30, after: $after) {
      edges {
        node {
          id
          status
          name
          email
          reason
          requestedAt
          claimedBy
          resolvedAt
          conversationId
          conversation {
            id
            title
            endUserId
            lastMessageAt
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

export const handoffConversationQuery = graphql(
  `
    query HandoffConversation($projectId: ID!, $conversationId: ID!) {
      transcript(projectId: $projectId, conversationId: $conversationId) {
        id
        title
        status
        endUserId
        handoff {
          id
          status
          name
          email
          reason
          requestedAt
          claimedBy
        }
        messages {
          ...MessageFields
        }
      }
    }
  `,
  [messageFields],
);

export const claimMutation = graphql(`
  mutation ClaimHandoff($handoffId: ID!) {
    claimHandoff(input: { handoffId: $handoffId }) {
      id
      status
      claimedBy
    }
  }
`);

export const replyMutation = graphql(`
  mutation Reply($conversationId: ID!, $content: String!) {
    replyToConversation(input: { conversationId: $conversationId, content: $content }) {
      id
    }
  }
`);

export const transferMutation = graphql(`
  mutation TransferHandoff($handoffId: ID!, $to: String!) {
    transferHandoff(input: { handoffId: $handoffId, to: $to }) {
      id
      claimedBy
    }
  }
`);

export const resolveMutation = graphql(`
  mutation ResolveHandoff($handoffId: ID!) {
    resolveHandoff(input: { handoffId: $handoffId }) {
      id
      status
    }
  }
`);

export const returnMutation = graphql(`
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
