import { signalTyping } from '../../domain/handoff/signal-typing.ts';
import {
  type ConversationActivity as ActivityShape,
  watchConversationActivity,
} from '../../domain/handoff/watch-conversation-activity.ts';
import { builder } from '../builder.ts';
import { SignalTypingInput } from './handoff-inputs.ts';

const ConversationActivity = builder.objectRef<ActivityShape>('ConversationActivity').implement({
  description: 'Someone who types in a conversation, or an agent who has it open.',
  fields: (t) => ({
    agent: t.exposeString('agent', {
      nullable: true,
      description: 'The agent, as in `Handoff.claimedBy`. Null: the end user.',
    }),
    isTyping: t.exposeBoolean('isTyping', {
      description: 'False: the agent has the conversation open, and does not type.',
    }),
  }),
});

builder.mutationField('signalTyping', (t) =>
  t.boolean({
    description:
      'Signals for 6.5 seconds that an agent types a reply. Repeat it every 3 seconds. The end user sees only the signal of the agent who owns the conversation, without a name. Stores nothing. Returns false if no agent owns the conversation.',
    args: { input: t.arg({ type: SignalTypingInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, { input }, context) => signalTyping(context, input),
  }),
);

builder.subscriptionField('conversationActivity', (t) =>
  t.field({
    type: [ConversationActivity],
    description:
      'Emits what others do in a conversation, at once and after each change. While an owner, admin or agent is subscribed, others see that they have the conversation open.',
    args: {
      projectId: t.arg.id({ required: true }),
      conversationId: t.arg.id({ required: true }),
    },
    authScopes: { permission: 'conversations:read' },
    subscribe: (_root, args, context) => watchConversationActivity(context, args),
    resolve: (activities) => [...activities],
  }),
);
