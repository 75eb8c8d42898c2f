import { graphql } from '../graphql/graphql.ts';

export const apiKeysQuery = graphql(`
  query ApiKeys($organizationId: ID!, $after: String) {
    apiKeys(organizationId: $organizationId, first: 50, after: $after) {
      edges {
        node {
          id
          name
          prefix
          lastFour
          scopes
          projectId
          createdBy
          createdAt
          lastUsedAt
          expiresAt
          revokedAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const createApiKeyMutation = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      secret
      apiKey {
        id
      }
    }
  }
`);

export const rotateApiKeyMutation = graphql(`
  mutation RotateApiKey($id: ID!) {
    rotateApiKey(input: { id: $id }) {
      secret
      apiKey {
        id
      }
    }
  }
`);

export const revokeApiKeyMutation = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(input: { id: $id }) {
      id
      revokedAt
    }
  }
`);
