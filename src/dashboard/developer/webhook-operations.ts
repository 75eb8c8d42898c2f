import type { ResultOf } from 'gql.tada';
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
          previousSecretExpiresAt
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

export const endpointsOf = ({ webhookEndpoints }: ResultOf<typeof endpointsQuery>) =>
  webhookEndpoints;
export type Endpoint = ReturnType<typeof endpointsOf>['edges'][number]['node'];

export const createEndpointMutation = graphql(`
  mutation CreateWebhookEndpoint($projectId: ID!, $url: String!, $types: [String!]!) {
    createWebhookEndpoint(input: { projectId: $projectId, url: $url, types: $types }) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const updateEndpointMutation = graphql(`
  mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) {
      id
      isEnabled
    }
  }
`);

export const rotateSecretMutation = graphql(`
  mutation RotateWebhookSecret($id: ID!, $overlapSeconds: Int!) {
    rotateWebhookSecret(input: { id: $id, overlapSeconds: $overlapSeconds }) {
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

export const sendTestMutation = graphql(`
  mutation SendTestWebhook($endpointId: ID!) {
    sendTestWebhook(input: { endpointId: $endpointId }) {
      id
    }
  }
`);

export const deliveriesQuery = graphql(`
  query WebhookDeliveries(
    $projectId: ID!
    $endpointId: ID
    $status: WebhookDeliveryStatus
    $after: String
  ) {
    webhookDeliveries(
      projectId: $projectId
      endpointId: $endpointId
      status: $status
      first: 25
      after: $after
    ) {
      edges {
        node {
          id
          endpointId
          eventId
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

export const deliveriesOf = (data: ResultOf<typeof deliveriesQuery>) => data.webhookDeliveries;
export type Delivery = ReturnType<typeof deliveriesOf>['edges'][number]['node'];

export const redeliverMutation = graphql(`
  mutation RedeliverWebhook($deliveryId: ID!) {
    redeliverWebhook(input: { deliveryId: $deliveryId }) {
      id
      status
    }
  }
`);
