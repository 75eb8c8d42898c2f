import {
  inviteMember,
  removeMember,
  updateMember,
} from '../domain/organizations/manage-members.ts';
import { Role as Roles } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { emailAddress, fieldsSchema } from './input-rules.ts';
import { Node } from './node.ts';

const Role = builder.enumType('Role', {
  description: 'Role of an operator in an organization.',
  values: {
    [Roles.OWNER]: { description: 'Full access to the organization.' },
    [Roles.ADMIN]: { description: 'Full access except to memberships of owners.' },
    [Roles.AGENT]: {
      description: 'Reads everything except API keys and webhooks, and replies to end users.',
    },
    [Roles.VIEWER]: { description: 'Reads everything except API keys and webhooks.' },
  },
});

export const Membership = builder.prismaObject('Member', {
  name: 'Membership',
  description: 'Membership of an operator in an organization.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email', {
      description: 'E-mail address that the operator signs in with.',
    }),
    role: t.expose('role', { type: Role }),
    organization: t.relation('organization'),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the invitation.',
    }),
  }),
});

const InviteMemberInput = memberInput('InviteMemberInput', 'A new member and its role.');
const UpdateMemberInput = memberInput('UpdateMemberInput', 'A member and its new role.');

function memberInput(name: string, description: string) {
  return builder.inputType(name, {
    description,
    validate: fieldsSchema({ email: emailAddress }),
    fields: (t) => ({
      organizationId: t.id({ required: true }),
      email: t.string({ required: true, description: 'Case-insensitive, at most 254 characters.' }),
      role: t.field({ type: Role, required: true }),
    }),
  });
}

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'The member to remove.',
  validate: fieldsSchema({ email: emailAddress }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    email: t.string({ required: true, description: 'Case-insensitive, at most 254 characters.' }),
  }),
});

builder.mutationFields((t) => ({
  inviteMember: t.prismaField({
    type: Membership,
    description:
      'Invites an operator by e-mail address. For owners and admins. Only owners can invite owners.',
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => inviteMember(context, input),
  }),
  updateMember: t.prismaField({
    type: Membership,
    description:
      'Changes the role of a member. For owners and admins. Only owners can appoint owners or change their role.',
    args: { input: t.arg({ type: UpdateMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateMember(context, input),
  }),
  removeMember: t.prismaField({
    type: Membership,
    description:
      'Removes a member. The last owner cannot be removed. For owners and admins. Only owners can remove owners.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (query, _root, { input }, context) => removeMember(context, input, query),
  }),
}));
