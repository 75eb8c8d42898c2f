import {
  listConversationEvents,
  type ConversationEvent as Shape,
} from '../../domain/handoff/conversation-events.ts';
import { listRecentAssignments } from '../../domain/handoff/recent-assignments.ts';
import { ConversationEventType as Types } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';

const ConversationEventType = builder.enumType('ConversationEventType', {
  description: 'How the owner of a conversation changed.',
  values: {
    [Types.CLAIMED]: { description: 'An agent claimed the conversation, which waited.' },
    [Types.TAKEN_OVER]: {
      description: 'An agent took over the conversation from the assistant or another agent.',
    },
    [Types.ASSIGNED]: { description: 'An agent assigned the conversation, which waited.' },
    [Types.TRANSFERRED]: { description: 'An agent transferred the conversation.' },
    [Types.RELEASED]: { description: 'The owner put the conversation back to waiting.' },
    [Types.RESOLVED]: { description: 'An agent resolved the conversation.' },
    [Types.RETURNED]: { description: 'An agent returned the conversation to the assistant.' },
  },
});

const ConversationEvent = builder.objectRef<Shape>('ConversationEvent').implement({
  description:
    'A change of the agent who owns a conversation. End users, models and webhooks never receive it.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    conversationId: t.exposeID('conversationId'),
    type: t.expose('type', { type: ConversationEventType }),
    actor: t.exposeString('actor', {
      description: 'The agent who made the change, as in `Handoff.claimedBy`.',
    }),
    previousAgent: t.exposeString('previousAgent', {
      nullable: true,
      description: 'The owner before the change. Null if no agent owned the conversation.',
    }),
    agent: t.exposeString('agent', {
      nullable: true,
      description: 'The owner after the change. Null if no agent owns the conversation.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryField('conversationEvents', (t) =>
  t.field({
    type: [ConversationEvent],
    description:
      'Changes of the agent who owns a conversation, oldest first, the latest 200. For agents.',
    args: {
      conversationId: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('conversation')),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, args, context) => listConversationEvents(context, args),
  }),
);

builder.queryField('recentAssignments', (t) =>
  t.field({
    type: [ConversationEvent],
    description:
      'Conversations of all projects of the organization that others have assigned or transferred to the calling member in the last hour, and that the member still owns. Newest first, at most 20. Empty for API keys.',
    args: { organizationId: t.arg.id({ required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, args, context) => listRecentAssignments(context, args),
  }),
);
