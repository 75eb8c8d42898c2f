import { graphql } from '../graphql/graphql.ts';

export const documentsQuery = graphql(`
  query Documents($projectId: ID!, $search: String, $after: String) {
    documents(projectId: $projectId, search: $search, first: 50, after: $after) {
      edges {
        node {
          id
          name
          status
          mimeType
          sizeBytes
          chunkCount
          createdAt
          error {
            code
            message
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

export const documentSubscription = graphql(`
  subscription DocumentUpdates($projectId: ID!) {
    documentUpdated(projectId: $projectId) {
      id
      status
    }
  }
`);

export const retryMutation = graphql(`
  mutation RetryDocument($projectId: ID!, $id: ID!) {
    retryDocument(input: { projectId: $projectId, id: $id }) {
      id
      status
    }
  }
`);

export const deleteMutation = graphql(`
  mutation DeleteDocument($projectId: ID!, $id: ID!) {
    deleteDocument(input: { projectId: $projectId, id: $id }) {
      id
    }
  }
`);
