import {
  answerVisitor,
  type VisitorChatEvent as Event,
  type VisitorReply as Reply,
} from '../domain/widget/answer-visitor.ts';
import { rateVisitorAnswer } from '../domain/widget/rate-visitor-answer.ts';
import { rateVisitorHandoff } from '../domain/widget/rate-visitor-handoff.ts';
import { requestVisitorHandoff } from '../domain/widget/request-visitor-handoff.ts';
import { signalVisitorTyping } from '../domain/widget/signal-visitor-typing.ts';
import { stopVisitorAnswer } from '../domain/widget/stop-visitor-answer.ts';
import type { VisitorTeamConversation as TeamConversationShape } from '../domain/widget/team-conversations.ts';
import type { VisitorCitation as CitationShape } from '../domain/widget/visitor-citations.ts';
import {
  type VisitorConversation as ConversationShape,
  getVisitorConversation,
  listVisitorConversations,
  type VisitorMessage as MessageShape,
  type VisitorConversationSummary as SummaryShape,
  type VisitorUpdate as UpdateShape,
  watchVisitor,
} from '../domain/widget/visitor-conversation.ts';
import type { VisitorSatisfaction as SatisfactionShape } from '../domain/widget/visitor-satisfaction.ts';
import { builder } from './builder.ts';
import { ChatDelta, ChatError, ChatMeta } from './chat.ts';
import { ConversationStatus } from './conversation.ts';
import { FeedbackRating, MessageFeedback } from './feedback.ts';
import { emailAddress, fieldsSchema, integer, nonBlankText, optionalText } from './input-rules.ts';
import { MessageRole, MessageStatus } from './message.ts';

const VisitorCitation = builder.objectRef<CitationShape>('VisitorCitation').implement({
  description: 'A citation for website visitors. It contains no ids of documents or chunks.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: 'Number n of the citation marker `[n]` in the answer.',
    }),
    documentName: t.exposeString('documentName'),
    quote: t.exposeString('quote', {
      nullable: true,
      description:
        'Verbatim passage of the document that best supports the answer. Null if there is none.',
    }),
    sourceUrl: t.exposeString('sourceUrl', {
      nullable: true,
      description: 'Address of the document for readers. Null if there is none.',
    }),
  }),
});

const VisitorMessage = builder.objectRef<MessageShape>('VisitorMessage').implement({
  description: "A message of a visitor's conversation.",
  fields: (t) => ({
    id: t.exposeID('id'),
    position: t.exposeInt('position', {
      description: 'Position in the conversation, counted from 1.',
    }),
    role: t.expose('role', { type: MessageRole }),
    status: t.expose('status', { type: MessageStatus }),
    content: t.exposeString('content', {
      description: 'Text of the message. Empty while an answer is generated.',
    }),
    citations: t.field({
      type: [VisitorCitation],
      description:
        'Citations whose markers occur in the answer. If the answer has no markers, all citations.',
      resolve: ({ citations }) => [...citations],
    }),
    rating: t.expose('rating', {
      type: FeedbackRating,
      nullable: true,
      description: "The visitor's rating of an answer. Null if not rated.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const VisitorSatisfaction = builder.objectRef<SatisfactionShape>('VisitorSatisfaction').implement({
  description: 'The question how satisfied the visitor was with the agent.',
  fields: (t) => ({
    handoffId: t.exposeID('handoffId'),
    rating: t.exposeInt('rating', {
      nullable: true,
      description: '1 (very dissatisfied) to 5 (very satisfied). Null until the visitor answers.',
    }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: 'Free-text comment of the visitor. Null if none was given.',
    }),
  }),
});

const VisitorConversation = builder.objectRef<ConversationShape>('VisitorConversation').implement({
  description: 'A conversation without the data that only the team sees.',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: ConversationStatus }),
    outOfHoursText: t.exposeString('outOfHoursText', {
      nullable: true,
      description:
        'Message to show while the conversation waits for the team outside business hours. Null otherwise.',
    }),
    satisfaction: t.expose('satisfaction', {
      type: VisitorSatisfaction,
      nullable: true,
      description:
        'The question about the latest handoff, while it can be answered or the answer changed. Null otherwise.',
    }),
    isTeamTyping: t.exposeBoolean('isTeamTyping', {
      description: 'Whether the agent who owns the conversation types a reply at the moment.',
    }),
    messages: t.field({
      type: [VisitorMessage],
      description:
        'The latest 100 messages, oldest first. In a subscription, only new and changed ones.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

const VisitorConversationSummary = builder
  .objectRef<SummaryShape>('VisitorConversationSummary')
  .implement({
    description: "A conversation in the visitor's list, without its messages.",
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title', { description: 'Start of the first message.' }),
      status: t.expose('status', { type: ConversationStatus }),
      lastMessageAt: t.expose('lastMessageAt', {
        type: 'DateTime',
        description: 'Time of the latest message.',
      }),
      teamPositions: t.exposeIntList('teamPositions', {
        description:
          "Positions of the agents' messages among the latest 100, latest first. Empty 14 days after the last message.",
      }),
    }),
  });

const VisitorTeamConversation = builder
  .objectRef<TeamConversationShape>('VisitorTeamConversation')
  .implement({
    description: 'A conversation of the visitor that was handed over to the team.',
    fields: (t) => ({
      id: t.exposeID('id'),
      status: t.expose('status', { type: ConversationStatus }),
      teamPositions: t.exposeIntList('teamPositions', {
        description: "Positions of the agents' messages among the latest 100, latest first.",
      }),
    }),
  });

const VisitorUpdate = builder.objectRef<UpdateShape>('VisitorUpdate').implement({
  description: 'A change in the conversations of a visitor.',
  fields: (t) => ({
    conversation: t.field({
      type: VisitorConversation,
      nullable: true,
      description:
        'The watched conversation with its new and changed messages. Null if none is watched.',
      resolve: ({ conversation }) => conversation,
    }),
    teamConversations: t.field({
      type: [VisitorTeamConversation],
      description:
        "The visitor's conversations that wait for an agent, are owned by one, or were handed over before and had a message in the last 14 days. At most 20, latest message first.",
      resolve: ({ teamConversations }) => [...teamConversations],
    }),
  }),
});

const VisitorReply = builder.objectRef<Reply>('VisitorReply').implement({
  description: 'A complete answer to a visitor.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: "Id of the assistant's message." }),
    content: t.exposeString('content'),
    citations: t.field({
      type: [VisitorCitation],
      description:
        'Citations whose markers occur in the answer. If the answer has no markers, all citations.',
      resolve: ({ citations }) => [...citations],
    }),
    conversationStatus: t.expose('conversationStatus', {
      type: ConversationStatus,
      description: 'Status after the answer, which may have requested a handoff.',
    }),
  }),
});

const VisitorDone = builder.objectRef<Extract<Event, { type: 'done' }>>('VisitorDone').implement({
  description: 'Last event of a completed answer.',
  fields: (t) => ({
    reply: t.field({
      type: VisitorReply,
      description: 'The complete answer as stored.',
      resolve: ({ reply }) => reply,
    }),
  }),
});

const visitorEventTypes = {
  meta: 'ChatMeta',
  delta: 'ChatDelta',
  done: 'VisitorDone',
  error: 'ChatError',
} as const satisfies Record<Event['type'], string>;

const VisitorEvent = builder.unionType('VisitorEvent', {
  description:
    'Event of an answer to a visitor. Order: ChatMeta, any number of ChatDelta, then VisitorDone or ChatError.',
  types: [ChatMeta, ChatDelta, VisitorDone, ChatError],
  resolveType: ({ type }) => visitorEventTypes[type],
});

const VisitorMessageInput = builder.inputType('VisitorMessageInput', {
  validate: fieldsSchema({
    message: nonBlankText(4000),
    name: optionalText(200),
    email: optionalText(254),
  }),
  fields: (t) => ({
    message: t.string({
      required: true,
      description: 'Text of the message, 1 to 4,000 characters.',
    }),
    conversationId: t.id({
      description: 'A conversation of the visitor. Omit to start a new one.',
    }),
    name: t.string({
      description:
        'Name of a verified visitor, at most 200 characters. It is not verified. Ignored for anonymous visitors.',
    }),
    email: t.string({
      description:
        'E-mail address of a verified visitor, at most 254 characters. It is not verified. Ignored for anonymous visitors.',
    }),
  }),
});

const RequestVisitorHandoffInput = builder.inputType('RequestVisitorHandoffInput', {
  description: "The conversation to hand over, and the visitor's contact details.",
  validate: fieldsSchema({
    name: nonBlankText(200).nullish(),
    email: emailAddress.nullish(),
    reason: optionalText(2000),
  }),
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    name: t.string({ description: 'Name of the visitor, 1 to 200 characters.' }),
    email: t.string({ description: 'Contact address of the visitor, at most 254 characters.' }),
    reason: t.string({ description: 'Why the handoff is requested, at most 2,000 characters.' }),
  }),
});

const GiveVisitorFeedbackInput = builder.inputType('GiveVisitorFeedbackInput', {
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'An answer in a conversation of the visitor.' }),
    rating: t.field({ type: FeedbackRating, required: true }),
  }),
});

const RateVisitorHandoffInput = builder.inputType('RateVisitorHandoffInput', {
  validate: fieldsSchema({ rating: integer(1, 5), comment: optionalText(2000) }),
  fields: (t) => ({
    handoffId: t.id({ required: true, description: 'A handoff of a conversation of the visitor.' }),
    rating: t.int({
      required: true,
      description: '1 (very dissatisfied) to 5 (very satisfied).',
    }),
    comment: t.string({ description: 'Free-text comment, at most 2,000 characters.' }),
  }),
});

const StopVisitorAnswerInput = builder.inputType('StopVisitorAnswerInput', {
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'An answer in a conversation of the visitor.' }),
  }),
});

const SignalVisitorTypingInput = builder.inputType('SignalVisitorTypingInput', {
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    isTyping: t.boolean({ description: 'False ends the signal at once. Default: true.' }),
  }),
});

builder.queryFields((t) => ({
  visitorConversation: t.field({
    type: VisitorConversation,
    description: 'A conversation of the visitor, by id.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { id }, context) => getVisitorConversation(context, id),
  }),
  visitorConversations: t.field({
    type: [VisitorConversationSummary],
    description: 'The latest 20 conversations of the visitor, latest message first.',
    authScopes: { permission: 'widget:use' },
    resolve: async (_root, _args, context) => [...(await listVisitorConversations(context))],
  }),
}));

builder.mutationFields((t) => ({
  requestVisitorHandoff: t.field({
    type: VisitorConversation,
    description: "Requests a handoff of a visitor's conversation to the team.",
    args: {
      input: t.arg({
        type: RequestVisitorHandoffInput,
        required: true,
      }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => requestVisitorHandoff(context, input),
  }),
  stopVisitorAnswer: t.field({
    type: MessageStatus,
    description:
      'Stops an answer to the visitor, keeps the partial text and returns the new status.',
    args: {
      input: t.arg({ type: StopVisitorAnswerInput, required: true }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => stopVisitorAnswer(context, input.messageId),
  }),
  signalVisitorTyping: t.boolean({
    description:
      'Signals to the team for 6.5 seconds that the visitor types. Nothing is stored. False if no agent owns the conversation.',
    args: {
      input: t.arg({ type: SignalVisitorTypingInput, required: true }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => signalVisitorTyping(context, input),
  }),
  giveVisitorFeedback: t.field({
    type: MessageFeedback,
    description: 'Rates an answer to the visitor. Replaces a previous rating.',
    args: {
      input: t.arg({ type: GiveVisitorFeedbackInput, required: true }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => rateVisitorAnswer(context, input),
  }),
  rateVisitorHandoff: t.field({
    type: VisitorSatisfaction,
    description:
      'Rates the agent who resolved a handoff of the visitor. Replaces a previous rating.',
    args: {
      input: t.arg({ type: RateVisitorHandoffInput, required: true }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => rateVisitorHandoff(context, input),
  }),
}));

builder.subscriptionFields((t) => ({
  visitorChat: t.field({
    type: VisitorEvent,
    description: "Sends a visitor's message to the project's assistant and streams the answer.",
    args: {
      input: t.arg({ type: VisitorMessageInput, required: true }),
    },
    authScopes: { permission: 'widget:use' },
    subscribe: (_root, { input }, context) => answerVisitor(context, input),
    resolve: (event) => event,
  }),
  visitorUpdated: t.field({
    type: VisitorUpdate,
    description:
      'Emits a conversation of the visitor, and the state of those with the team: at once, after each change, and at least every 30 seconds. Ends after ten minutes. Subscribe again to continue.',
    args: {
      conversationId: t.arg.id({
        description: 'The conversation to watch. Omit to follow only those with the team.',
      }),
    },
    authScopes: { permission: 'widget:use' },
    subscribe: (_root, { conversationId }, context) =>
      watchVisitor(context, conversationId ?? null),
    resolve: (update) => update,
  }),
}));
