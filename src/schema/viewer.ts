import { listMemberships } from '../domain/organizations/members.ts';
import { builder } from './builder.ts';
import { Membership } from './member.ts';

const Viewer = builder.objectRef<{ readonly id: string | null; readonly email: string | null }>(
  'Viewer',
);

Viewer.implement({
  description: 'Who asks.',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description: "The operator's user id; null for others.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: "The operator's address; null for others.",
    }),
    memberships: t.prismaField({
      type: [Membership],
      description: 'Organizations and roles, oldest first. None for others than operators.',
      resolve: (query, _viewer, _args, context) => listMemberships(context, query),
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller, with the organizations and roles an operator has.',
    authScopes: { permission: 'organization:read' },
    resolve: (_root, _args, { caller }) =>
      caller.type === 'operator'
        ? { id: caller.userId, email: caller.email }
        : { id: null, email: null },
  }),
);
