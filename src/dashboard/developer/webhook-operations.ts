import { graphql } from '../graphql/graphql.ts';

export const endpointsQuery = graphql(`
  query WebhookEndpoints($projectId: ID!, $after: String) {
    webhookEndpoints(projectId: $projectId, first: 50, after: $after) {
      edges {
        node {
          id
          url
          types
          isEnabled
          disabledReason
          createdAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const createEndpointMutation = graphql(`
  mutation CreateWebhookEndpoint($projectId: ID!, $url: String!, $types: [String!]) {
    createWebhookEndpoint(input: { projectId: $projectId, url: $url, types: $types }) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const updateEndpointMutation = graphql(`
  mutation UpdateWebhookEndpoint($id: ID!, $isEnabled: Boolean!) {
    updateWebhookEndpoint(input: { id: $id, isEnabled: $isEnabled }) {
      id
      isEnabled
    }
  }
`);

export const rotateSecretMutation = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(input: { id: $id }) {
      secret
    }
  }
`);

export const deleteEndpointMutation = graphql(`
  mutation DeleteWebhookEndpoint($id: ID!) {
    deleteWebhookEndpoint(input: { id: $id }) {
      id
    }
  }
`);

export const deliveriesQuery = graphql(`
  query WebhookDeliveries($projectId: ID!, $status: WebhookDeliveryStatus, $after: String) {
    webhookDeliveries(projectId: $projectId, status: $status, first: 50, after: $after) {
      edges {
        node {
          id
          eventType
          status
          attempts
          lastResponseStatus
          lastLatencyMs
          nextAttemptAt
          createdAt
          log {
            number
            sentAt
            latencyMs
            responseStatus
            responseExcerpt
            error
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

export const redeliverMutation = graphql(`
  mutation RedeliverWebhook($deliveryId: ID!) {
    redeliverWebhook(input: { deliveryId: $deliveryId }) {
      id
      status
    }
  }
`);
