import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const labelsQuery = graphql(`
  query Labels($projectId: ID!) {
    labels(projectId: $projectId) {
      id
      name
      color
    }
  }
`);

export type Label = ResultOf<typeof labelsQuery>['labels'][number];
export type LabelColor = Label['color'];

export const createLabelMutation = graphql(`
  mutation CreateLabel($projectId: ID!, $name: String!, $color: LabelColor) {
    createLabel(input: { projectId: $projectId, name: $name, color: $color }) {
      id
    }
  }
`);

export const addConversationLabelMutation = graphql(`
  mutation AddConversationLabel($conversationId: ID!, $labelId: ID!) {
    addConversationLabel(input: { conversationId: $conversationId, labelId: $labelId }) {
      id
    }
  }
`);

export const removeConversationLabelMutation = graphql(`
  mutation RemoveConversationLabel($conversationId: ID!, $labelId: ID!) {
    removeConversationLabel(input: { conversationId: $conversationId, labelId: $labelId }) {
      id
    }
  }
`);

export const maxLabelLength = 40;
