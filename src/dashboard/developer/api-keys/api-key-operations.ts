import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

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
          filter
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

export const apiKeysOf = ({ apiKeys }: ResultOf<typeof apiKeysQuery>) => apiKeys;
export type ApiKey = ReturnType<typeof apiKeysOf>['edges'][number]['node'];

export const createApiKeyMutation = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      secret
      apiKey {
        id
        scopes
        projectId
      }
    }
  }
`);

export const rotateApiKeyMutation = graphql(`
  mutation RotateApiKey($id: ID!, $overlapSeconds: Int!) {
    rotateApiKey(input: { id: $id, overlapSeconds: $overlapSeconds }) {
      secret
      apiKey {
        id
        scopes
        projectId
      }
    }
  }
`);

/** A new key with its secret, which the service returns only once. */
export type CreatedApiKey = ResultOf<typeof createApiKeyMutation>['createApiKey'];

export const revokeApiKeyMutation = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(input: { id: $id }) {
      id
      revokedAt
    }
  }
`);
