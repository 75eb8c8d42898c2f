import { getLastMessage, type MessagePreview } from '../../domain/conversations/last-message.ts';
import { countUnread, markConversationRead } from '../../domain/handoff/conversation-reads.ts';
import { countHandoffs, type HandoffCounts } from '../../domain/handoff/count-handoffs.ts';
import { builder } from '../builder.ts';
import { Conversation } from '../conversations/conversation.ts';
import { MessageRole } from '../conversations/message.ts';
import { Handoff } from './handoff.ts';
import { MarkConversationReadInput } from './handoff-inputs.ts';

const Preview = builder.objectRef<MessagePreview>('MessagePreview').implement({
  description: 'The start of a message.',
  fields: (t) => ({
    messageId: t.exposeID('id'),
    role: t.expose('role', { type: MessageRole }),
    text: t.exposeString('text', { description: 'The first 160 characters, on one line.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.objectField(Conversation, 'lastMessage', (t) =>
  t.field({
    type: Preview,
    nullable: true,
    description:
      'The latest message of the end user, the assistant or the team. Null while there is no text.',
    resolve: (conversation, _args, context) => getLastMessage(context, conversation),
  }),
);

builder.objectField(Handoff, 'unreadCount', (t) =>
  t.int({
    description:
      'Messages of the end user that the owner has not read, at most 100. 0 unless the handoff is claimed.',
    resolve: (handoff, _args, context) => countUnread(context, handoff),
  }),
);

const Counts = builder.objectRef<HandoffCounts>('HandoffCounts').implement({
  description: 'Numbers of handoffs of a project. Each is at most 100.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting', { description: 'Nobody has claimed them yet.' }),
    claimed: t.exposeInt('claimed', { description: 'Claimed by anyone.' }),
    mine: t.exposeInt('mine', { description: 'Claimed by the caller.' }),
    unread: t.exposeInt('unread', {
      description: 'Claimed by the caller, with messages that the caller has not read.',
    }),
    resolved: t.exposeInt('resolved'),
  }),
});

builder.queryField('handoffCounts', (t) =>
  t.field({
    type: Counts,
    description: 'Numbers of handoffs of a project by their state.',
    args: {
      projectId: t.arg.id({ required: true }),
      latestOnly: t.arg.boolean({
        defaultValue: false,
        description:
          'Count only the latest handoff of each conversation, as `handoffs(latestOnly: true)` lists them.',
      }),
    },
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => countHandoffs(context, args),
  }),
);

builder.mutationField('markConversationRead', (t) =>
  t.boolean({
    description:
      'Stores that the agent has read a conversation up to a message. Returns true, also if a later message is already read.',
    args: { input: t.arg({ type: MarkConversationReadInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: async (_root, { input }, context) => {
      await markConversationRead(context, input);
      return true;
    },
  }),
);
