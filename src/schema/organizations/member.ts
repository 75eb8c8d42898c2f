import {
  type NewInvitation as CreatedInvitation,
  createInvitation,
  renewInvitation,
  revokeInvitation,
} from '../../domain/organizations/invitations.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../domain/organizations/manage-members.ts';
import {
  type MemberSignInLink as CreatedSignInLink,
  createSignInLink,
} from '../../domain/organizations/member-sign-in-link.ts';
import { setDisplayName } from '../../domain/organizations/set-display-name.ts';
import { Role as Roles } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { emailAddress, fieldsSchema, printableName } from '../input-rules.ts';
import { Node } from '../node.ts';

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
    displayName: t.exposeString('displayName', {
      nullable: true,
      description:
        'Name that the operator chose for end users. Null: end users see no name above the replies.',
    }),
    organization: t.relation('organization'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the invitation.' }),
    hasJoined: t.boolean({
      description: 'Whether the operator has accepted the invitation.',
      select: { userId: true },
      resolve: ({ userId }) => userId !== null,
    }),
    invitationExpiresAt: t.expose('invitationExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Expiry of a pending invitation. Null if the operator has joined, or if the invitation does not expire.',
    }),
  }),
});

const InvitationMail = builder.enumType('InvitationMail', {
  description: 'Whether a link was sent by e-mail.',
  values: {
    SENT: { description: 'The mail server of the service accepted the e-mail.' },
    FAILED: { description: 'The mail server did not accept the e-mail. The link works.' },
    OFF: { description: 'The service has no mail server.' },
  },
});

const NewInvitation = builder.objectRef<CreatedInvitation>('NewInvitation').implement({
  description: 'A pending invitation and its new link.',
  fields: (t) => ({
    link: t.exposeString('link', {
      description:
        'The link to accept the invitation. It works once and cannot be read again. A path of the service if its public address is not configured.',
    }),
    mail: t.expose('mail', { type: InvitationMail }),
    membership: t.field({ type: Membership, resolve: ({ member }) => member }),
  }),
});

const SignInLink = builder.objectRef<CreatedSignInLink>('SignInLink').implement({
  description: 'A new sign-in link of a member.',
  fields: (t) => ({
    link: t.exposeString('link', {
      description:
        'The link that signs the member in. It works once and cannot be read again. A path of the service if its public address is not configured.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    mail: t.expose('mail', { type: InvitationMail }),
    membership: t.field({ type: Membership, resolve: ({ member }) => member }),
  }),
});

const InviteMemberInput = memberInput('InviteMemberInput');
const CreateInvitationInput = memberInput('CreateInvitationInput');
const UpdateMemberInput = memberInput('UpdateMemberInput');

function memberInput(name: string) {
  return builder.inputType(name, {
    validate: fieldsSchema({ email: emailAddress }),
    fields: (t) => ({
      organizationId: t.id({ required: true }),
      email: t.string({ required: true, description: 'Case-insensitive, at most 254 characters.' }),
      role: t.field({ type: Role, required: true }),
    }),
  });
}

const SetDisplayNameInput = builder.inputType('SetDisplayNameInput', {
  validate: fieldsSchema({ displayName: printableName(60).nullish() }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    displayName: t.string({
      description: '1 to 60 printable characters. Null: end users see no name.',
    }),
  }),
});

const RemoveMemberInput = addressInput('RemoveMemberInput');
const RenewInvitationInput = addressInput('RenewInvitationInput');
const CreateSignInLinkInput = addressInput('CreateSignInLinkInput');
const RevokeInvitationInput = addressInput('RevokeInvitationInput');

function addressInput(name: string) {
  return builder.inputType(name, {
    validate: fieldsSchema({ email: emailAddress }),
    fields: (t) => ({
      organizationId: t.id({ required: true }),
      email: t.string({ required: true, description: 'Case-insensitive, at most 254 characters.' }),
    }),
  });
}

builder.mutationFields((t) => ({
  inviteMember: t.prismaField({
    type: Membership,
    description:
      'Invites an operator by e-mail address, without a link and without an expiry: the first sign-in with this address accepts the invitation. For owners and admins. Only owners can invite owners.',
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => inviteMember(context, input),
  }),
  createInvitation: t.field({
    type: NewInvitation,
    description:
      'Invites an operator with a link that is valid for 7 days, and sends it by e-mail if the service has a mail server. At most 50 invitations of an organization are pending. For owners and admins. Only owners can invite owners.',
    args: { input: t.arg({ type: CreateInvitationInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createInvitation(context, input),
  }),
  renewInvitation: t.field({
    type: NewInvitation,
    description:
      'Replaces the link of a pending invitation by a new one that is valid for 7 days, and sends it by e-mail. The old link stops working. For owners and admins. Only owners can renew invitations of owners.',
    args: { input: t.arg({ type: RenewInvitationInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => renewInvitation(context, input),
  }),
  revokeInvitation: t.prismaField({
    type: Membership,
    description:
      'Revokes a pending invitation. Its link stops working. For owners and admins. Only owners can revoke invitations of owners.',
    args: { input: t.arg({ type: RevokeInvitationInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (query, _root, { input }, context) => revokeInvitation(context, input, query),
  }),
  createSignInLink: t.field({
    type: SignInLink,
    description:
      'Creates a one-time link that signs a member in, valid for a day, and sends it by e-mail if the service has a mail server. Earlier links of the member stop working. Its session reaches only this organization. For owners and admins. Only owners can create links for owners. Not with Supabase Auth.',
    args: { input: t.arg({ type: CreateSignInLinkInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createSignInLink(context, input),
  }),
  updateMember: t.prismaField({
    type: Membership,
    description:
      'Changes the role of a member. For owners and admins. Only owners can appoint owners or change their role.',
    args: { input: t.arg({ type: UpdateMemberInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateMember(context, input),
  }),
  setDisplayName: t.prismaField({
    type: Membership,
    description:
      "Changes the name that end users see above the calling operator's replies from now on. For operators, in any role.",
    args: { input: t.arg({ type: SetDisplayNameInput, required: true }) },
    authScopes: { permission: 'organization:read' },
    resolve: (_query, _root, { input: { organizationId, displayName } }, context) =>
      setDisplayName(context, { organizationId, displayName: displayName ?? null }),
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
