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
            displayName
            role
            hasJoined
            invitationExpiresAt
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

const newInvitationFragment = graphql(`
  fragment NewInvitationFields on NewInvitation @_unmask {
    link
    mail
    membership {
      id
      email
    }
  }
`);

export const createInvitationMutation = graphql(
  `
    mutation CreateInvitation($input: CreateInvitationInput!) {
      createInvitation(input: $input) {
        ...NewInvitationFields
      }
    }
  `,
  [newInvitationFragment],
);
export type NewInvitation = ResultOf<typeof createInvitationMutation>['createInvitation'];

export const renewInvitationMutation = graphql(
  `
    mutation RenewInvitation($input: RenewInvitationInput!) {
      renewInvitation(input: $input) {
        ...NewInvitationFields
      }
    }
  `,
  [newInvitationFragment],
);

export const revokeInvitationMutation = graphql(`
  mutation RevokeInvitation($input: RevokeInvitationInput!) {
    revokeInvitation(input: $input) {
      id
    }
  }
`);

export const createSignInLinkMutation = graphql(`
  mutation CreateSignInLink($input: CreateSignInLinkInput!) {
    createSignInLink(input: $input) {
      link
      mail
      membership {
        id
        email
      }
    }
  }
`);
export type SignInLink = ResultOf<typeof createSignInLinkMutation>['createSignInLink'];

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

export const setDisplayNameMutation = graphql(`
  mutation SetDisplayName($input: SetDisplayNameInput!) {
    setDisplayName(input: $input) {
      id
      displayName
    }
  }
`);
