import { graphql } from '../../graphql/graphql.ts';

export const widgetQuery = graphql(`
  query Widget($projectId: ID!) {
    project(id: $projectId) {
      id
      widget {
        publishableKey
        isEnabled
        allowedOrigins
        isIdentityRequired
        aiNotice
        look {
          title
          greeting
          color
          position
          logoUrl
          starterQuestions
          agentNames
        }
        identitySecretCreatedAt
        previousIdentitySecretExpiresAt
      }
    }
  }
`);

export const updateWidgetMutation = graphql(`
  mutation UpdateWidget($input: UpdateWidgetInput!) {
    updateWidget(input: $input) {
      publishableKey
      isEnabled
      allowedOrigins
    }
  }
`);

export const rotateWidgetKeyMutation = graphql(`
  mutation RotateWidgetKey($projectId: ID!) {
    rotateWidgetKey(input: { projectId: $projectId }) {
      publishableKey
    }
  }
`);

export const rotateIdentitySecretMutation = graphql(`
  mutation RotateIdentitySecret($projectId: ID!, $overlapSeconds: Int) {
    rotateWidgetIdentitySecret(input: { projectId: $projectId, overlapSeconds: $overlapSeconds }) {
      secret
    }
  }
`);
