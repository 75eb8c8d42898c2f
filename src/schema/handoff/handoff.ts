import { listHandoffs, listHandoffsByPage } from '../../domain/handoff/handoffs.ts';
import { HandoffStatus as Statuses } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Message } from '../conversations/message.ts';
import { fieldsSchema, optionalText } from '../input-rules.ts';
import { Node } from '../node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const HandoffStatus = builder.enumType('HandoffStatus', {
  description: 'Progress of a handoff.',
  values: {
    [Statuses.REQUESTED]: { description: 'Waits for a team member.' },
    [Statuses.CLAIMED]: { description: 'Owned by a team member.' },
    [Statuses.RESOLVED]: { description: 'Closed, or returned to the assistant.' },
  },
});

export const Handoff = builder.prismaObject('Handoff', {
  description:
    'A request that a team member takes over a conversation. A conversation has at most one open handoff.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    conversationId: t.exposeID('conversationId'),
    conversation: t.relation('conversation', {
      authScopes: { permission: 'conversations:read' },
    }),
    status: t.expose('status', { type: HandoffStatus }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'Contact address of the end user. Null if not given.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the end user. Null if not given.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'Why the handoff was requested. Null if not given. If a team member reopened the conversation, that of the handoff before.',
    }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
    isRequested: t.exposeBoolean('isRequested', {
      description:
        'False if an agent took over the conversation without a request. Such a handoff has no due times.',
    }),
    firstReplyAt: t.expose('firstReplyAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first reply of the team. Null until then.',
    }),
    firstReplyDueAt: t.expose('firstReplyDueAt', {
      type: 'DateTime',
      nullable: true,
      description:
        "Time until which the team should reply, by the project's target and business hours at the time of the request. Null without a target.",
    }),
    resolutionDueAt: t.expose('resolutionDueAt', {
      type: 'DateTime',
      nullable: true,
      description:
        "Time until which the handoff should be resolved, by the project's target and business hours at the time of the request. Null without a target.",
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when `claimedBy` became the owner. Null while the handoff waits.',
    }),
    claimedBy: t.exposeString('claimedBy', {
      nullable: true,
      description:
        "Owner: the team member's e-mail address, `key:` and the name of an API key, or `service` for the service role. Null while the handoff waits, or if it was resolved before a claim.",
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while the handoff is open.',
    }),
    isNew: t.boolean({
      description: 'True only in the response to the operation that opened the handoff.',
      resolve: (handoff) => 'isNew' in handoff && handoff.isNew === true,
    }),
  }),
});

builder.prismaObjectFields(Message, (t) => ({
  author: t.exposeString('author', {
    nullable: true,
    description:
      "Author of a team reply: the operator's e-mail address, `key:` and the name of an API key, or `service`. Null for messages of other roles.",
  }),
  authorName: t.exposeString('authorName', {
    nullable: true,
    description:
      'Display name of the agent when the reply was sent. End users may see it. Null if the agent had none, and for messages of other roles.',
  }),
}));

const HandoffPage = createPageType('HandoffPage', Handoff);

const HandoffOrder = builder.enumType('HandoffOrder', {
  description: 'Order of handoffs by the time of their request.',
  values: {
    LATEST_FIRST: { description: 'Latest request first.' },
    OLDEST_FIRST: { description: 'The longest wait first.' },
  } as const,
});

const handoffFilter = builder.args((t) => ({
  projectId: t.id({ required: true }),
  status: t.field({ type: HandoffStatus }),
  claimedBy: t.string({
    description:
      'The current or last owner of the handoff, as in `Handoff.claimedBy`, at most 254 characters.',
  }),
  search: t.string({
    description:
      'Substring of the name, e-mail address, reason or conversation title, case-insensitive, at most 255 characters.',
  }),
  labelId: t.id({ description: 'Return only handoffs whose conversation has this label.' }),
  latestOnly: t.boolean({
    defaultValue: false,
    description:
      'Return only the latest handoff of each conversation. `search` then finds the name, e-mail address and reason of its earlier handoffs, too.',
  }),
  isOverdue: t.boolean({
    defaultValue: false,
    description:
      'Return only open handoffs that are past the due time of the first reply or of the resolution.',
  }),
  order: t.field({ type: HandoffOrder, required: true, defaultValue: 'LATEST_FIRST' }),
}));
const filterFieldSchemas = { claimedBy: optionalText(254), search: optionalText(255) };

builder.queryFields((t) => ({
  handoffs: t.prismaConnection({
    type: Handoff,
    cursor: 'place',
    description: 'Handoffs of a project. Default order: latest request first.',
    args: handoffFilter,
    validate: fieldsSchema(filterFieldSchemas),
    authScopes: { permission: 'conversations:read' },
    resolve: (query, _root, args, context) => listHandoffs(context, args, query),
  }),
  handoffPage: t.field({
    type: HandoffPage,
    description: 'Handoffs of a project by page number. Default order: latest request first.',
    args: { ...handoffFilter, ...pageArguments },
    validate: fieldsSchema({ ...filterFieldSchemas, ...pageArgumentSchemas }),
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => listHandoffsByPage(context, args),
  }),
}));
