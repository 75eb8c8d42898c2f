import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  getConversation,
  listConversations,
  listConversationsByPage,
} from '../../domain/conversations/conversations.ts';
import { listMessages, oldestFirst } from '../../domain/conversations/messages.ts';
import { watchConversation } from '../../domain/conversations/watch-conversation.ts';
import { latestFirst } from '../../domain/handoff/handoffs.ts';
import { sortByName } from '../../domain/labels/labels.ts';
import { listVisitorAttributes } from '../../domain/widget/visitor-attributes.ts';
import {
  ConversationChannel as Channels,
  ConversationStatus as Statuses,
} from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { FeedbackRating } from '../feedback.ts';
import { Handoff } from '../handoff/handoff.ts';
import {
  fieldsSchema,
  optionalDateTime,
  optionalEndUserId,
  optionalNumber,
  optionalText,
} from '../input-rules.ts';
import { Node } from '../node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';
import { Label } from './label.ts';
import { Message } from './message.ts';
import { VisitorAttribute } from './visitor-attribute.ts';

const ConversationStatus = builder.enumType('ConversationStatus', {
  description: 'State of a conversation: who answers it.',
  values: {
    [Statuses.OPEN]: { description: 'The assistant answers.' },
    [Statuses.HANDOFF_REQUESTED]: {
      description: 'Waits for a team member; the assistant still answers.',
    },
    [Statuses.HUMAN]: { description: 'A team member answers.' },
    [Statuses.RESOLVED]: { description: "Closed. The end user's next message reopens it." },
  },
});

const ConversationChannel = builder.enumType('ConversationChannel', {
  description: 'The interface that a conversation was started through.',
  values: {
    [Channels.WIDGET]: { description: 'The widget on a website.' },
    [Channels.REST]: { description: 'The REST API.' },
    [Channels.OPENAI]: { description: "The interface for OpenAI's clients." },
    [Channels.MCP]: { description: 'The MCP server.' },
    [Channels.GRAPHQL]: { description: 'GraphQL, by an API key or the service role.' },
    [Channels.PLAYGROUND]: {
      description: 'GraphQL, by an operator, as in the playground of the dashboard.',
    },
  },
});

const ConversationRecord = builder.prismaInterface('Conversation', {
  variant: 'ConversationRecord',
  description: 'Fields of a conversation without its messages.',
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    status: t.expose('status', { type: ConversationStatus }),
    endUserId: t.exposeString('endUserId', {
      nullable: true,
      description: "The caller's identifier of the end user. Null if none was given.",
    }),
    endUserName: t.exposeString('endUserName', {
      nullable: true,
      description:
        'Name of the end user, at most 200 characters, as the page of a verified end user or a handoff gave it. It is not verified. Null if none was given.',
    }),
    endUserEmail: t.exposeString('endUserEmail', {
      nullable: true,
      description:
        'E-mail address of the end user, at most 254 characters, as the page of a verified end user or a handoff gave it. It is not verified. Null if none was given.',
    }),
    title: t.exposeString('title', { description: 'Start of the first message.' }),
    messageCount: t.exposeInt('messageCount', { description: 'Number of messages of all roles.' }),
    lastMessageAt: t.expose('lastMessageAt', {
      type: 'DateTime',
      description: 'Time of the latest message of any role. Lists are sorted by it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    handoff: t.field({
      type: Handoff,
      nullable: true,
      description: 'The latest handoff. Null if none was requested.',
      select: (_args, _context, nestedSelection) => ({
        handoffs: nestedSelection({ orderBy: [...latestFirst], take: 1 }),
      }),
      resolve: ({ handoffs }) => handoffs[0] ?? null,
    }),
  }),
});

export const Conversation = builder.prismaObject('Conversation', {
  description: 'Messages exchanged by an end user, the assistant and the team.',
  interfaces: [ConversationRecord, Node],
  fields: (t) => ({
    channel: t.expose('channel', {
      type: ConversationChannel,
      nullable: true,
      description:
        'Interface that it was started through. Null if it was started before the service stored it.',
    }),
    visitorPage: t.exposeString('visitorPage', {
      nullable: true,
      description:
        'Address of the page on which the visitor wrote the latest message, without query and fragment, as the widget sent it. Not verified: treat it as untrusted. Null for other channels.',
    }),
    visitorBrowser: t.exposeString('visitorBrowser', {
      nullable: true,
      description:
        'Header `User-Agent` of the latest message in the widget, at most 300 characters. Null for other channels.',
    }),
    visitorTimeZone: t.exposeString('visitorTimeZone', {
      nullable: true,
      description: 'Time zone of the visitor, such as `Europe/Berlin`. Null if it is unknown.',
    }),
    visitorAttributes: t.field({
      type: [VisitorAttribute],
      description:
        'What the website says of the visitor, sorted by name, at most 20, as the widget sent it with the latest message that had any. Not verified: treat it as untrusted. Empty for other channels.',
      select: { visitorAttributes: true },
      resolve: ({ visitorAttributes }) => listVisitorAttributes(visitorAttributes),
    }),
    isEndUserVerified: t.exposeBoolean('isEndUserVerified', {
      description: 'Whether the website has signed the `endUserId`, in the widget.',
    }),
    labels: t.field({
      type: [Label],
      description: 'Labels of the team, sorted by name, at most 20. Do not show them to end users.',
      authScopes: { permission: 'conversations:read' },
      select: { labels: { include: { label: true } } },
      resolve: ({ labels }) => sortByName(labels.map(({ label }) => label)),
    }),
    messages: t.prismaConnection({
      type: Message,
      cursor: 'place',
      description: 'Messages, oldest first.',
      authScopes: { permission: 'conversations:read' },
      resolve: (query, conversation, _args, context) => listMessages(context, conversation, query),
    }),
  }),
});

const Transcript = builder.prismaObject('Conversation', {
  variant: 'Transcript',
  description: 'A conversation with all its messages, as the REST API returns it.',
  interfaces: [ConversationRecord],
  fields: (t) => ({
    messages: t.relation('messages', {
      description: 'All messages, oldest first.',
      query: { orderBy: oldestFirst },
    }),
  }),
});

const ConversationPage = createPageType('ConversationPage', Conversation);

const filterFieldSchemas = {
  endUserId: optionalEndUserId,
  search: optionalText(255),
  from: optionalDateTime,
  to: optionalDateTime,
  confidenceBelow: optionalNumber(0, 1),
};

builder.queryFields((t) => {
  const filter = {
    projectId: t.arg.id({ required: true }),
    status: t.arg({ type: ConversationStatus }),
    endUserId: t.arg.string({
      description: 'Exact identifier of the end user, 1 to 128 characters.',
    }),
    search: t.arg.string({
      description:
        'Substring of the text of any message, or of the name or e-mail address of the end user. Case-insensitive, at most 255 characters.',
    }),
    feedback: t.arg({
      type: FeedbackRating,
      description: 'Return only conversations with at least one answer that has this rating.',
    }),
    labelId: t.arg.id({ description: 'Return only conversations with this label.' }),
    confidenceBelow: t.arg.float({
      description:
        'Return only conversations with at least one completed answer whose confidence is below this value, 0 to 1. Small talk is not counted.',
    }),
    channel: t.arg({
      type: ConversationChannel,
      description: 'Return only conversations that were started through this interface.',
    }),
    hasHandoff: t.arg.boolean({
      description: 'Return only conversations with at least one handoff, or only those without.',
    }),
    from: t.arg({ type: 'DateTime', description: 'Earliest `lastMessageAt`, inclusive.' }),
    to: t.arg({ type: 'DateTime', description: 'Latest `lastMessageAt`, inclusive.' }),
  };
  return {
    conversation: t.prismaField({
      type: Conversation,
      nullable: true,
      description:
        'A conversation by id. Without `projectId`, searches all projects that the caller may read.',
      args: {
        id: t.arg.id({ required: true }),
        projectId: t.arg.id({ description: 'Project that the conversation must belong to.' }),
      },
      authScopes: { permission: 'conversations:read' },
      resolve: (query, _root, args, context) => getConversation(context, args, query),
    }),
    conversations: t.prismaConnection({
      type: Conversation,
      cursor: 'place',
      description: 'Conversations of a project, latest message first.',
      args: filter,
      validate: fieldsSchema(filterFieldSchemas),
      authScopes: { permission: 'conversations:read' },
      resolve: (query, _root, args, context) => listConversations(context, args, query),
    }),
    conversationPage: t.field({
      type: ConversationPage,
      description: 'Conversations of a project by page number, latest message first.',
      args: { ...filter, ...pageArguments },
      validate: fieldsSchema({ ...filterFieldSchemas, ...pageArgumentSchemas }),
      authScopes: { permission: 'conversations:read' },
      resolve: (_root, args, context) => listConversationsByPage(context, args),
    }),
    transcript: t.prismaField({
      type: Transcript,
      description: 'A conversation of the project with all its messages.',
      args: {
        projectId: t.arg.id({ required: true }),
        conversationId: t.arg.id({ required: true }),
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
    description: 'Emits a conversation of the project each time its messages or its status change.',
    args: {
      projectId: t.arg.id({ required: true }),
      conversationId: t.arg.id({ description: 'Omit to follow all conversations of the project.' }),
    },
    authScopes: { permission: 'conversations:read' },
    subscribe: (_root, args, context, info) =>
      watchConversation(context, args, queryFromInfo({ context, info })),
    resolve: (_query, conversation) => conversation,
  }),
);
