import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  getConversation,
  listConversations,
  pageConversations,
} from '../domain/conversations/conversations.ts';
import { listMessages, oldestFirst } from '../domain/conversations/messages.ts';
import { watchConversation } from '../domain/conversations/watch-conversation.ts';
import { ConversationStatus as Statuses } from '../domain/generated/prisma/enums.ts';
import { latestFirst } from '../domain/handoff/handoffs.ts';
import { builder } from './builder.ts';
import { FeedbackRating } from './feedback.ts';
import { Handoff } from './handoff.ts';
import { Message } from './message.ts';
import { pageOf } from './page.ts';
import { endUserIdText, moment, optionalText, rules, wholeNumber } from './text-rules.ts';

export const ConversationStatus = builder.enumType('ConversationStatus', {
  description:
    'OPEN, HANDOFF_REQUESTED while it waits for a person, HUMAN while a person has it, or RESOLVED.',
  values: {
    [Statuses.OPEN]: { description: 'The assistant answers.' },
    [Statuses.HANDOFF_REQUESTED]: {
      description: 'It waits for a person; the assistant answers meanwhile.',
    },
    [Statuses.HUMAN]: { description: 'A person answers.' },
    [Statuses.RESOLVED]: { description: 'The person is done; the next message opens it again.' },
  },
});

const ConversationRecord = builder.prismaInterface('Conversation', {
  variant: 'ConversationRecord',
  description: 'What is known of a conversation beside its messages.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the conversation.' }),
    projectId: t.exposeID('projectId', { description: 'Whose assistant speaks.' }),
    status: t.expose('status', { type: ConversationStatus, description: 'Who has the word.' }),
    endUserId: t.exposeString('endUserId', {
      nullable: true,
      description: 'As the caller named the end user.',
    }),
    title: t.exposeString('title', { description: 'The beginning of the first message.' }),
    messageCount: t.exposeInt('messageCount', {
      description: 'How many messages there are, of all sides.',
    }),
    lastMessageAt: t.expose('lastMessageAt', {
      type: 'DateTime',
      description: 'When the last one was written.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    handoff: t.field({
      type: Handoff,
      nullable: true,
      description: 'The latest.',
      select: (_args, _context, nestedSelection) => ({
        handoffs: nestedSelection({
          orderBy: [...latestFirst],
          take: 1,
        }),
      }),
      resolve: ({ handoffs }) => handoffs[0] ?? null,
    }),
  }),
});

export const Conversation = builder.prismaObject('Conversation', {
  description: 'What an end user, the assistant and the team have said to one another.',
  interfaces: [ConversationRecord],
  fields: (t) => ({
    messages: t.prismaConnection({
      type: Message,
      cursor: 'id',
      description: 'Oldest first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, conversation, _args, context) => listMessages(context, conversation, query),
    }),
  }),
});

const Transcript = builder.prismaObject('Conversation', {
  variant: 'Transcript',
  description: 'A conversation with all that was said, as REST tells it.',
  interfaces: [ConversationRecord],
  fields: (t) => ({
    messages: t.relation('messages', {
      description: 'All of them, oldest first.',
      query: { orderBy: oldestFirst },
    }),
  }),
});

const ConversationPage = pageOf('ConversationPage', Conversation, 'The conversations of the page.');

const filterRules = {
  endUserId: endUserIdText,
  search: optionalText(255),
  from: moment,
  to: moment,
};

builder.queryFields((t) => {
  const filter = {
    projectId: t.arg.id({ required: true, description: 'The project.' }),
    status: t.arg({ type: ConversationStatus, description: 'Only those in this state.' }),
    endUserId: t.arg.string({ description: 'Exactly as it was given.' }),
    search: t.arg.string({ description: 'Any part of the text of any message.' }),
    feedback: t.arg({
      type: FeedbackRating,
      description: 'Only those with an answer that is rated like this.',
    }),
    from: t.arg({ type: 'DateTime', description: 'The least lastMessageAt.' }),
    to: t.arg({ type: 'DateTime', description: 'The greatest lastMessageAt.' }),
  };
  return {
    conversation: t.prismaField({
      type: Conversation,
      nullable: true,
      description: 'A conversation of the project or, without one, of any the caller may read.',
      args: {
        id: t.arg.id({ required: true, description: 'The conversation.' }),
        projectId: t.arg.id({ description: 'Its project, if only there it is to be looked for.' }),
      },
      authScopes: { permission: 'conversations:read' },
      resolve: (query, _root, args, context) => getConversation(context, args, query),
    }),
    conversations: t.prismaConnection({
      type: Conversation,
      cursor: 'id',
      description: "A project's conversations, that of the newest message first.",
      args: filter,
      validate: rules(filterRules),
      authScopes: { permission: 'conversations:read' },
      resolve: (query, _root, args, context) => listConversations(context, args, query),
    }),
    conversationPage: t.field({
      type: ConversationPage,
      description: 'The same by page number.',
      args: {
        ...filter,
        page: t.arg.int({ required: true, defaultValue: 1, description: 'From 1.' }),
        limit: t.arg.int({ required: true, defaultValue: 20, description: '1 to 100.' }),
      },
      validate: rules({
        ...filterRules,
        page: wholeNumber(1, 1_000_000),
        limit: wholeNumber(1, 100),
      }),
      authScopes: { permission: 'conversations:read' },
      resolve: (_root, args, context) => pageConversations(context, args),
    }),
    transcript: t.prismaField({
      type: Transcript,
      description: 'A conversation of the project with all of its messages.',
      args: {
        projectId: t.arg.id({ required: true, description: 'The project.' }),
        conversationId: t.arg.id({ required: true, description: 'The conversation.' }),
      },
      authScopes: { permission: 'conversations:read' },
      resolve: (query, _root, { projectId, conversationId: id }, context) =>
        getConversation(context, { projectId, id }, query),
    }),
  };
});

builder.subscriptionField('conversationUpdated', (t) =>
  t.prismaField({
    type: Conversation,
    description:
      'Conversations of a project as they are, each time that what is said in them or their status has changed.',
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      conversationId: t.arg.id({ description: 'Left out: all of the project.' }),
    },
    authScopes: { permission: 'conversations:read' },
    subscribe: (_root, args, context, info) =>
      watchConversation(context, args, queryFromInfo({ context, info })),
    resolve: (_query, conversation) => conversation,
  }),
);
