import { graphql } from '../../graphql/graphql.ts';

export const updateLabelMutation = graphql(`
  mutation UpdateLabel($labelId: ID!, $name: String!, $color: LabelColor!) {
    updateLabel(input: { labelId: $labelId, name: $name, color: $color }) {
      id
    }
  }
`);

export const deleteLabelMutation = graphql(`
  mutation DeleteLabel($labelId: ID!) {
    deleteLabel(input: { labelId: $labelId }) {
      id
    }
  }
`);
