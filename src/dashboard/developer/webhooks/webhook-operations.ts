import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const webhookEndpointsQuery = graphql(`
  query WebhookEndpoints($projectId: ID!, $after: String) {
    webhookEndpoints(projectId: $projectId, first: 50, after: $after) {
      edges {
        node {
          id
          url
          types
          isEnabled
          isPaused
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

export const endpointsOf = ({ webhookEndpoints }: ResultOf<typeof webhookEndpointsQuery>) =>
  webhookEndpoints;
export type WebhookEndpoint = ReturnType<typeof endpointsOf>['edges'][number]['node'];

export const createWebhookEndpointMutation = graphql(`
  mutation CreateWebhookEndpoint($projectId: ID!, $url: String!, $types: [String!]!) {
    createWebhookEndpoint(input: { projectId: $projectId, url: $url, types: $types }) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const updateWebhookEndpointMutation = graphql(`
  mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) {
      id
      isEnabled
    }
  }
`);

export const rotateWebhookSecretMutation = graphql(`
  mutation RotateWebhookSecret($id: ID!, $overlapSeconds: Int!) {
    rotateWebhookSecret(input: { id: $id, overlapSeconds: $overlapSeconds }) {
      secret
    }
  }
`);

export const deleteWebhookEndpointMutation = graphql(`
  mutation DeleteWebhookEndpoint($id: ID!) {
    deleteWebhookEndpoint(input: { id: $id }) {
      id
    }
  }
`);

export const sendTestWebhookMutation = graphql(`
  mutation SendTestWebhook($endpointId: ID!) {
    sendTestWebhook(input: { endpointId: $endpointId }) {
      id
    }
  }
`);

export const webhookDeliveriesQuery = graphql(`
  query WebhookDeliveries(
    $projectId: ID!
    $endpointId: ID
    $status: WebhookDeliveryStatus
    $eventType: String
    $after: String
  ) {
    webhookDeliveries(
      projectId: $projectId
      endpointId: $endpointId
      status: $status
      eventType: $eventType
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

export const deliveriesOf = (data: ResultOf<typeof webhookDeliveriesQuery>) =>
  data.webhookDeliveries;
export type WebhookDelivery = ReturnType<typeof deliveriesOf>['edges'][number]['node'];

export const deliveryBodyQuery = graphql(`
  query DeliveryBody($id: ID!) {
    node(id: $id) {
      ... on WebhookDelivery {
        body
      }
    }
  }
`);

export const redeliverWebhookMutation = graphql(`
  mutation RedeliverWebhook($deliveryId: ID!) {
    redeliverWebhook(input: { deliveryId: $deliveryId }) {
      id
      status
    }
  }
`);
