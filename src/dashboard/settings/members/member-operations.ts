import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const membersQuery = graphql(`
  query MembersOfOrganization($organizationId: ID!, $after: String) {
    organization(id: $organizationId) {
      id
      members(first: 100, after: $after) {
        edges {
          node {
            id
            email
            role
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export function membersOf({ organization }: ResultOf<typeof membersQuery>) {
  if (organization === null)
    return { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
  return organization.members;
}
export type Member = ReturnType<typeof membersOf>['edges'][number]['node'];

export const inviteMemberMutation = graphql(`
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      id
      email
    }
  }
`);

export const updateMemberMutation = graphql(`
  mutation UpdateMember($input: UpdateMemberInput!) {
    updateMember(input: $input) {
      id
      role
    }
  }
`);

export const removeMemberMutation = graphql(`
  mutation RemoveMember($input: RemoveMemberInput!) {
    removeMember(input: $input) {
      id
    }
  }
`);
