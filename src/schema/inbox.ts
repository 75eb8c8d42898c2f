import { queryFromInfo } from '@pothos/plugin-prisma';
import { InboxEventType } from '../domain/generated/prisma/enums.ts';
import { inboxCursor } from '../domain/handoff/inbox-cursor.ts';
import { watchInbox } from '../domain/handoff/watch-inbox.ts';
import { builder } from './builder.ts';

const HandoffEventType = builder.enumType('HandoffEventType', {
  description:
    'A handoff is REQUESTED, CLAIMED or RESOLVED, or a MESSAGE was said while it was open.',
  values: {
    [InboxEventType.REQUESTED]: { description: 'A handoff was opened.' },
    [InboxEventType.CLAIMED]: { description: 'Somebody of the team has taken it or was given it.' },
    [InboxEventType.RESOLVED]: { description: 'It has ended.' },
    [InboxEventType.MESSAGE]: { description: 'Something was said while it was open.' },
  },
});

const HandoffEvent = builder.prismaObject('InboxEvent', {
  name: 'HandoffEvent',
  description: "What has happened in a project's inbox.",
  fields: (t) => ({
    cursor: t.string({
      description: 'Pass the last one as `after` to go on behind it.',
      resolve: ({ position }) => inboxCursor(position),
    }),
    type: t.expose('type', { type: HandoffEventType, description: 'What has happened.' }),
    handoff: t.relation('handoff', { description: 'As it is now, and not as it was then.' }),
    message: t.relation('message', { nullable: true, description: 'Of a MESSAGE.' }),
  }),
});

builder.subscriptionField('handoffInbox', (t) =>
  t.prismaField({
    type: HandoffEvent,
    description:
      "What happens in a project's inbox, each event once and in order. With `after`, what was missed comes first.",
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      after: t.arg.string({
        description:
          'The cursor of the last known event. Left out: from now on. Events of handoffs that have ended are kept for 90 days; behind a cursor older than what is kept: CURSOR_EXPIRED.',
      }),
    },
    authScopes: { permission: 'conversations:read' },
    subscribe: (_root, args, context, info) =>
      watchInbox(context, args, queryFromInfo({ context, info })),
    resolve: (_query, event) => event,
  }),
);
