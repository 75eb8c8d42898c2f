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
  values: Object.values(Roles),
});

export const Membership = builder.prismaObject('Member', {
  name: 'Membership',
  description: 'An operator in an organization.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: Role }),
    organization: t.relation('organization'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const MemberInput = builder.inputType('MemberInput', {
  validate: rules({ email: emailText }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    email: t.string({ required: true }),
    role: t.field({ type: Role, required: true }),
  }),
});

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  validate: rules({ email: emailText }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    email: t.string({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  inviteMember: t.prismaField({
    type: Membership,
    description: 'Makes an operator a member by e-mail address.',
    args: { input: t.arg({ type: MemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => inviteMember(context, input),
  }),
  updateMember: t.prismaField({
    type: Membership,
    description: 'Gives a member another role.',
    args: { input: t.arg({ type: MemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateMember(context, input),
  }),
  removeMember: t.prismaField({
    type: Membership,
    description: 'Ends a membership.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => removeMember(context, input),
  }),
}));
