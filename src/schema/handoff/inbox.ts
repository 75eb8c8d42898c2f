import { queryFromInfo } from '@pothos/plugin-prisma';
import { inboxEventType } from '../../domain/handoff/append-inbox-event.ts';
import { encodeInboxCursor } from '../../domain/handoff/inbox-cursor.ts';
import { watchInbox } from '../../domain/handoff/watch-inbox.ts';
import { InboxEventType } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';

const HandoffEventType = builder.enumType('HandoffEventType', {
  description: 'Kind of an inbox event.',
  values: {
    [InboxEventType.REQUESTED]: {
      description: 'A handoff was requested, or put back by its owner.',
    },
    [InboxEventType.CLAIMED]: {
      description: 'A handoff was claimed by a team member, or transferred to one.',
    },
    [InboxEventType.RESOLVED]: {
      description: 'A handoff was resolved or returned to the assistant.',
    },
    [InboxEventType.MESSAGE]: { description: 'A message was added while the handoff was open.' },
    UPDATED: {
      description:
        'The internal notes or the labels of the conversation changed, or the end user rated the agent.',
    },
  },
});

const HandoffEvent = builder.prismaObject('InboxEvent', {
  name: 'HandoffEvent',
  description: "An event of a project's handoff inbox.",
  fields: (t) => ({
    cursor: t.string({
      description:
        'Position of the event. Pass the cursor of the latest event as `after` to receive the events that follow.',
      resolve: ({ position }) => encodeInboxCursor(position),
    }),
    type: t.field({ type: HandoffEventType, resolve: inboxEventType }),
    handoff: t.relation('handoff', {
      description: 'The handoff in its current state, not as it was at the time of the event.',
    }),
    message: t.relation('message', {
      nullable: true,
      description: 'The new message. Null unless the type is MESSAGE.',
    }),
  }),
});

builder.subscriptionField('handoffInbox', (t) =>
  t.prismaField({
    type: HandoffEvent,
    description:
      "Streams the events of a project's inbox, each once and in commit order. With `after`, missed events come first.",
    args: {
      projectId: t.arg.id({ required: true }),
      after: t.arg.string({
        description:
          'Cursor of the last received event. Omit to start with the next event. Events of resolved handoffs are kept for 90 days; an older cursor fails with CURSOR_EXPIRED.',
      }),
    },
    authScopes: { permission: 'conversations:read' },
    subscribe: (_root, args, context, info) =>
      watchInbox(context, args, queryFromInfo({ context, info })),
    resolve: (_query, event) => event,
  }),
);
