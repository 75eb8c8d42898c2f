import { Role as Roles } from '../domain/generated/prisma/enums.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../domain/organizations/manage-members.ts';
import { builder } from './builder.ts';
import { emailText, rules } from './text-rules.ts';

const Role = builder.enumType('Role', {
  description:
    'What an operator may do in an organization: everything, everything, conversations, reading.',
  values: {
    [Roles.OWNER]: { description: 'Everything.' },
    [Roles.ADMIN]: { description: 'Everything but the memberships of owners.' },
    [Roles.AGENT]: {
      description: 'Reading everything but keys and webhooks, and talking to end users.',
    },
    [Roles.VIEWER]: { description: 'Reading everything but keys and webhooks.' },
  },
});

export const Membership = builder.prismaObject('Member', {
  name: 'Membership',
  description: 'An operator in an organization.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the membership.' }),
    email: t.exposeString('email', { description: 'The address that signs in.' }),
    role: t.expose('role', { type: Role, description: 'What the operator may do.' }),
    organization: t.relation('organization', { description: 'Of which the operator is a member.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the operator was invited.',
    }),
  }),
});

const MemberInput = builder.inputType('MemberInput', {
  description: 'A member and a role.',
  validate: rules({ email: emailText }),
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization.' }),
    email: t.string({ required: true, description: 'In any case.' }),
    role: t.field({ type: Role, required: true, description: 'What the member may do.' }),
  }),
});

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'A member to be removed.',
  validate: rules({ email: emailText }),
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization.' }),
    email: t.string({ required: true, description: 'In any case.' }),
  }),
});

builder.mutationFields((t) => ({
  inviteMember: t.prismaField({
    type: Membership,
    description: 'Makes an operator a member by e-mail address.',
    args: { input: t.arg({ type: MemberInput, required: true, description: 'Who, and as what.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => inviteMember(context, input),
  }),
  updateMember: t.prismaField({
    type: Membership,
    description: 'Gives a member another role.',
    args: { input: t.arg({ type: MemberInput, required: true, description: 'Who, and as what.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateMember(context, input),
  }),
  removeMember: t.prismaField({
    type: Membership,
    description: 'Ends a membership.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true, description: 'Who.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => removeMember(context, input),
  }),
}));
