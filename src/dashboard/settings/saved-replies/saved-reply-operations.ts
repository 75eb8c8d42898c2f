import { graphql } from '../../graphql/graphql.ts';

export const createSavedReplyMutation = graphql(`
  mutation CreateSavedReply($projectId: ID!, $name: String!, $content: String!) {
    createSavedReply(input: { projectId: $projectId, name: $name, content: $content }) {
      id
    }
  }
`);

export const updateSavedReplyMutation = graphql(`
  mutation UpdateSavedReply($savedReplyId: ID!, $name: String!, $content: String!) {
    updateSavedReply(input: { savedReplyId: $savedReplyId, name: $name, content: $content }) {
      id
    }
  }
`);

export const deleteSavedReplyMutation = graphql(`
  mutation DeleteSavedReply($savedReplyId: ID!) {
    deleteSavedReply(input: { savedReplyId: $savedReplyId }) {
      id
    }
  }
`);
