import { HandoffStatus as Statuses } from '../domain/generated/prisma/enums.ts';
import { claimHandoff } from '../domain/handoff/claim-handoff.ts';
import { listHandoffs } from '../domain/handoff/handoffs.ts';
import { replyToConversation } from '../domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../domain/handoff/return-to-assistant.ts';
import { transferHandoff } from '../domain/handoff/transfer-handoff.ts';
import { builder } from './builder.ts';
import { Message } from './message.ts';
import { emailText, newIdText, optionalText, rules, text } from './text-rules.ts';

const HandoffStatus = builder.enumType('HandoffStatus', {
  description:
    'REQUESTED until somebody of the team takes it, then CLAIMED, and RESOLVED at the end.',
  values: {
    [Statuses.REQUESTED]: { description: 'Nobody has taken it.' },
    [Statuses.CLAIMED]: { description: 'Somebody of the team has it.' },
    [Statuses.RESOLVED]: { description: 'It has ended.' },
  },
});

export const Handoff = builder.prismaObject('Handoff', {
  description:
    'An end user who is to talk to a person of the team. A conversation has one at a time.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the handoff.' }),
    projectId: t.exposeID('projectId', { description: 'Whose team is asked.' }),
    conversationId: t.exposeID('conversationId', { description: 'What the team takes over.' }),
    conversation: t.relation('conversation', {
      description: 'What the team takes over.',
      authScopes: { permission: 'conversations:read' },
    }),
    status: t.expose('status', { type: HandoffStatus, description: 'How far it has come.' }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'Where the end user can be reached.',
    }),
    name: t.exposeString('name', { nullable: true, description: "The end user's name." }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was requested.' }),
    requestedAt: t.expose('requestedAt', {
      type: 'DateTime',
      description: 'When it was requested.',
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When claimedBy got it.',
    }),
    claimedBy: t.exposeString('claimedBy', {
      nullable: true,
      description: "Who has it: the operator's e-mail address, or `service` for the service role.",
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
    }),
    isNew: t.boolean({
      description: 'Whether the operation that gave this answer opened the handoff.',
      resolve: (handoff) => 'isNew' in handoff && handoff.isNew === true,
    }),
  }),
});

const RequestHandoffInput = builder.inputType('RequestHandoffInput', {
  description: 'Whom the team is to talk to.',
  validate: rules({
    email: emailText.nullish(),
    name: text(200).nullish(),
    reason: optionalText(2000),
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    conversationId: t.id({ required: true, description: 'The conversation to be taken over.' }),
    email: t.string({ description: 'Where the end user can be reached.' }),
    name: t.string({ description: "The end user's name, at most 200 characters." }),
    reason: t.string({ description: 'Why it is requested, at most 2,000 characters.' }),
  }),
});

const ClaimHandoffInput = builder.inputType('ClaimHandoffInput', {
  description: 'A handoff to be taken.',
  fields: (t) => ({ handoffId: t.id({ required: true, description: 'The handoff.' }) }),
});

const TransferHandoffInput = builder.inputType('TransferHandoffInput', {
  description: 'A handoff to be given away.',
  validate: rules({ to: emailText }),
  fields: (t) => ({
    handoffId: t.id({ required: true, description: 'The handoff.' }),
    to: t.string({
      required: true,
      description: 'The e-mail address of an owner, admin or agent of the organization.',
    }),
  }),
});

const ResolveHandoffInput = builder.inputType('ResolveHandoffInput', {
  description: 'A handoff to be ended.',
  fields: (t) => ({ handoffId: t.id({ required: true, description: 'The handoff.' }) }),
});

const ReturnToAssistantInput = builder.inputType('ReturnToAssistantInput', {
  description: 'A handoff to be ended.',
  fields: (t) => ({ handoffId: t.id({ required: true, description: 'The handoff.' }) }),
});

const ReplyToConversationInput = builder.inputType('ReplyToConversationInput', {
  description: 'What a person of the team says.',
  validate: rules({ content: text(10_000), messageId: newIdText }),
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'To whom.' }),
    messageId: t.id({
      description:
        'A UUIDv7 for the new message, made by the caller: sent again with it, the reply is there once.',
    }),
    content: t.string({
      required: true,
      description: 'At most 10,000 characters.',
    }),
  }),
});

builder.prismaObjectField(Message, 'author', (t) =>
  t.exposeString('author', {
    nullable: true,
    description:
      "Which operator wrote a reply of the team: the e-mail address, or `service`. Null for others' messages.",
  }),
);

builder.queryField('handoffs', (t) =>
  t.prismaConnection({
    type: Handoff,
    cursor: 'id',
    description: "A project's handoffs, the latest request first.",
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      status: t.arg({ type: HandoffStatus, description: 'Only those in this state.' }),
      claimedBy: t.arg.string({
        description: "Only those that this member has or had: the operator's e-mail address.",
      }),
      search: t.arg.string({
        description: "Any part of the name, e-mail address, reason or conversation's title.",
      }),
    },
    validate: rules({ claimedBy: optionalText(254), search: optionalText(255) }),
    authScopes: { permission: 'conversations:read' },
    resolve: (query, _root, args, context) => listHandoffs(context, args, query),
  }),
);

builder.mutationFields((t) => ({
  requestHandoff: t.prismaField({
    type: Handoff,
    description:
      'Asks the team to take over a conversation. While its handoff is open, that is the answer, unchanged.',
    args: {
      input: t.arg({
        type: RequestHandoffInput,
        required: true,
        description: 'Which conversation, and of whom.',
      }),
    },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => requestHandoff(context, input, query),
  }),
  claimHandoff: t.prismaField({
    type: Handoff,
    description:
      "Takes a conversation over from the assistant. Of two who claim at once one gets CONFLICT; one's own is given back unchanged.",
    args: {
      input: t.arg({ type: ClaimHandoffInput, required: true, description: 'Which handoff.' }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => claimHandoff(context, input, query),
  }),
  transferHandoff: t.prismaField({
    type: Handoff,
    description: 'Gives a claimed handoff to another member of the team.',
    args: {
      input: t.arg({
        type: TransferHandoffInput,
        required: true,
        description: 'Which handoff, and to whom.',
      }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => transferHandoff(context, input, query),
  }),
  replyToConversation: t.prismaField({
    type: Message,
    description:
      'Says something to the end user of a conversation that a person has, be it the caller or another member.',
    args: {
      input: t.arg({
        type: ReplyToConversationInput,
        required: true,
        description: 'What is said, and where.',
      }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => replyToConversation(context, input, query),
  }),
  resolveHandoff: t.prismaField({
    type: Handoff,
    description:
      "Ends a handoff and its conversation, which the end user's next message opens again for the assistant. A resolved one is given back unchanged.",
    args: {
      input: t.arg({ type: ResolveHandoffInput, required: true, description: 'Which handoff.' }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => resolveHandoff(context, input, query),
  }),
  returnToAssistant: t.prismaField({
    type: Handoff,
    description:
      'Ends a handoff and leaves the open conversation to the assistant. A resolved one is given back unchanged.',
    args: {
      input: t.arg({ type: ReturnToAssistantInput, required: true, description: 'Which handoff.' }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => returnToAssistant(context, input, query),
  }),
}));
