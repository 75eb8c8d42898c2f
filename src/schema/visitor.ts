import {
  answerVisitor,
  type VisitorEvent as Event,
  type VisitorReply as Reply,
} from '../domain/widget/answer-visitor.ts';
import { rateVisitorAnswer } from '../domain/widget/rate-visitor-answer.ts';
import { requestVisitorHandoff } from '../domain/widget/request-visitor-handoff.ts';
import { stopVisitorAnswer } from '../domain/widget/stop-visitor-answer.ts';
import type { VisitorCitation as CitationShape } from '../domain/widget/visitor-citations.ts';
import {
  type VisitorConversation as ConversationShape,
  getVisitorConversation,
  type VisitorMessage as MessageShape,
  watchVisitorConversation,
} from '../domain/widget/visitor-conversation.ts';
import { builder } from './builder.ts';
import { ChatDelta, ChatError, ChatMeta } from './chat.ts';
import { ConversationStatus } from './conversation.ts';
import { FeedbackRating, MessageFeedback } from './feedback.ts';
import { MessageRole, MessageStatus } from './message.ts';
import { emailText, optionalText, rules, text } from './text-rules.ts';

const VisitorCitation = builder.objectRef<CitationShape>('VisitorCitation').implement({
  description: 'A ground of an answer, as visitors are told of it.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Of the markers `[n]` in the answer.' }),
    documentName: t.exposeString('documentName', { description: 'What the document is called.' }),
    quote: t.exposeString('quote', { nullable: true, description: 'Verbatim from it.' }),
  }),
});

const VisitorMessage = builder.objectRef<MessageShape>('VisitorMessage').implement({
  description: 'What was said in a conversation of a visitor.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the message.' }),
    position: t.exposeInt('position', { description: 'Counted from 1.' }),
    role: t.expose('role', { type: MessageRole, description: 'Who speaks.' }),
    status: t.expose('status', { type: MessageStatus, description: 'Whether it is complete.' }),
    content: t.exposeString('content', { description: 'Empty while the answer is generated.' }),
    citations: t.field({
      type: [VisitorCitation],
      description: 'The grounds that an answer names, or all of them where it names none.',
      resolve: ({ citations }) => [...citations],
    }),
    rating: t.expose('rating', {
      type: FeedbackRating,
      nullable: true,
      description: 'What the visitor thinks of it. Answers only.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const VisitorConversation = builder.objectRef<ConversationShape>('VisitorConversation').implement({
  description: 'A conversation as its visitor sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the conversation.' }),
    status: t.expose('status', { type: ConversationStatus, description: 'Who has the word.' }),
    outOfHoursText: t.exposeString('outOfHoursText', {
      nullable: true,
      description: 'What is told while it waits for the team outside of its hours.',
    }),
    messages: t.field({
      type: [VisitorMessage],
      description: 'The last hundred, oldest first; while it is followed those that are new.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

const VisitorReply = builder.objectRef<Reply>('VisitorReply').implement({
  description: 'A whole answer to a visitor.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'Of the answer.' }),
    content: t.exposeString('content', { description: 'The answer.' }),
    citations: t.field({
      type: [VisitorCitation],
      description: 'As of a VisitorMessage.',
      resolve: ({ citations }) => [...citations],
    }),
  }),
});

const VisitorDone = builder.objectRef<Extract<Event, { type: 'done' }>>('VisitorDone').implement({
  description: 'The last event of an answer that is complete.',
  fields: (t) => ({
    reply: t.field({
      type: VisitorReply,
      description: 'The answer as it is stored.',
      resolve: ({ reply }) => reply,
    }),
  }),
});

const typeNames = {
  meta: 'ChatMeta',
  delta: 'ChatDelta',
  done: 'VisitorDone',
  error: 'ChatError',
} as const satisfies Record<Event['type'], string>;

const VisitorEvent = builder.unionType('VisitorEvent', {
  description: 'ChatMeta, any number of ChatDelta, then VisitorDone or ChatError.',
  types: [ChatMeta, ChatDelta, VisitorDone, ChatError],
  resolveType: ({ type }) => typeNames[type],
});

const VisitorMessageInput = builder.inputType('VisitorMessageInput', {
  description: 'What a visitor says.',
  validate: rules({ message: text(4000) }),
  fields: (t) => ({
    message: t.string({ required: true, description: 'At most 4,000 characters.' }),
    conversationId: t.id({ description: 'One of its own. Left out: a new conversation.' }),
  }),
});

const VisitorHandoffInput = builder.inputType('VisitorHandoffInput', {
  description: 'Whom the team is to talk to.',
  validate: rules({
    name: text(200).nullish(),
    email: emailText.nullish(),
    reason: optionalText(2000),
  }),
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'One of its own.' }),
    name: t.string({ description: 'At most 200 characters.' }),
    email: t.string({ description: 'Where the visitor can be reached.' }),
    reason: t.string({ description: 'At most 2,000 characters.' }),
  }),
});

const VisitorFeedbackInput = builder.inputType('VisitorFeedbackInput', {
  description: 'What a visitor thinks of which answer.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'An answer that the visitor was given.' }),
    rating: t.field({ type: FeedbackRating, required: true, description: 'Whether it helped.' }),
  }),
});

const StopVisitorAnswerInput = builder.inputType('StopVisitorAnswerInput', {
  description: 'Which answer is to end.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'An answer to the visitor.' }),
  }),
});

builder.queryField('visitorConversation', (t) =>
  t.field({
    type: VisitorConversation,
    description: "A conversation of the visitor's own.",
    args: { id: t.arg.id({ required: true, description: 'The conversation.' }) },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { id }, context) => getVisitorConversation(context, id),
  }),
);

builder.mutationFields((t) => ({
  requestVisitorHandoff: t.field({
    type: VisitorConversation,
    description: "Asks the team to take over a conversation of the visitor's own.",
    args: {
      input: t.arg({
        type: VisitorHandoffInput,
        required: true,
        description: 'Which, and of whom.',
      }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => requestVisitorHandoff(context, input),
  }),
  stopVisitorAnswer: t.field({
    type: MessageStatus,
    description: 'Ends an answer to the visitor with what there is of it; gives its status then.',
    args: {
      input: t.arg({ type: StopVisitorAnswerInput, required: true, description: 'Which.' }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => stopVisitorAnswer(context, input.messageId),
  }),
  giveVisitorFeedback: t.field({
    type: MessageFeedback,
    description: 'Notes what a visitor thinks of an answer it was given.',
    args: {
      input: t.arg({ type: VisitorFeedbackInput, required: true, description: 'The feedback.' }),
    },
    authScopes: { permission: 'widget:use' },
    resolve: (_root, { input }, context) => rateVisitorAnswer(context, input),
  }),
}));

builder.subscriptionFields((t) => ({
  visitorChat: t.field({
    type: VisitorEvent,
    description: "Asks the project's assistant for a visitor, and follows the answer.",
    args: {
      input: t.arg({ type: VisitorMessageInput, required: true, description: 'The message.' }),
    },
    authScopes: { permission: 'widget:use' },
    subscribe: (_root, { input }, context) => answerVisitor(context, input),
    resolve: (event) => event,
  }),
  visitorConversationUpdated: t.field({
    type: VisitorConversation,
    description: "A conversation of the visitor's own as it is, and each time that it has changed.",
    args: { id: t.arg.id({ required: true, description: 'The conversation.' }) },
    authScopes: { permission: 'widget:use' },
    subscribe: (_root, { id }, context) => watchVisitorConversation(context, id),
    resolve: (conversation) => conversation,
  }),
}));
