import { listMemberships } from '../../domain/organizations/members.ts';
import { builder } from '../builder.ts';
import { Membership } from './member.ts';

const Viewer = builder.objectRef<{ readonly id: string | null; readonly email: string | null }>(
  'Viewer',
);

Viewer.implement({
  description: 'The caller: an operator, an API key or the service role.',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description: 'User id of an operator. Null for other callers.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'Verified e-mail address of an operator. Null for other callers.',
    }),
    memberships: t.prismaField({
      type: [Membership],
      description: 'Memberships of an operator, oldest first. Empty for other callers.',
      resolve: (query, _viewer, _args, context) => listMemberships(context, query),
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller. For operators, includes their organizations and roles.',
    authScopes: { permission: 'organization:read' },
    resolve: (_root, _args, { caller }) =>
      caller.type === 'operator'
        ? { id: caller.userId, email: caller.email }
        : { id: null, email: null },
  }),
);
