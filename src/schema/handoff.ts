import { claimHandoff } from '../domain/handoff/claim-handoff.ts';
import { listHandoffs, listHandoffsByPage } from '../domain/handoff/handoffs.ts';
import { releaseHandoff } from '../domain/handoff/release-handoff.ts';
import { replyToConversation } from '../domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../domain/handoff/return-to-assistant.ts';
import { takeOverConversation } from '../domain/handoff/take-over-conversation.ts';
import { transferHandoff } from '../domain/handoff/transfer-handoff.ts';
import { HandoffStatus as Statuses } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import {
  ClaimHandoffInput,
  ReleaseHandoffInput,
  ReplyToConversationInput,
  RequestHandoffInput,
  ResolveHandoffInput,
  ReturnToAssistantInput,
  TakeOverConversationInput,
  TransferHandoffInput,
} from './handoff-inputs.ts';
import { fieldsSchema, optionalText } from './input-rules.ts';
import { Message } from './message.ts';
import { Node } from './node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';

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
      description: 'Why the handoff was requested. Null if not given.',
    }),
    requestedAt: t.expose('requestedAt', {
      type: 'DateTime',
    }),
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

builder.prismaObjectField(Message, 'author', (t) =>
  t.exposeString('author', {
    nullable: true,
    description:
      "Author of a team reply: the operator's e-mail address, `key:` and the name of an API key, or `service`. Null for messages of other roles.",
  }),
);

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

builder.mutationFields((t) => ({
  requestHandoff: t.prismaField({
    type: Handoff,
    description:
      'Requests a handoff of a conversation to the team. If a handoff is already open, adds the e-mail address, name and reason to it that the input has.',
    args: {
      input: t.arg({
        type: RequestHandoffInput,
        required: true,
      }),
    },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => requestHandoff(context, input, query),
  }),
  claimHandoff: t.prismaField({
    type: Handoff,
    description:
      'Claims a handoff: the caller takes over the conversation from the assistant. If two agents claim at once, one receives CONFLICT. A handoff that the agent already owns is returned unchanged.',
    args: {
      input: t.arg({ type: ClaimHandoffInput, required: true }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => claimHandoff(context, input, query),
  }),
  takeOverConversation: t.prismaField({
    type: Handoff,
    description:
      'Takes over a conversation from the assistant or another agent: claims its open handoff, or opens one that the caller owns. Sends the webhook `handoff.claimed`. A conversation that the agent already owns is returned unchanged.',
    args: {
      input: t.arg({ type: TakeOverConversationInput, required: true }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => takeOverConversation(context, input, query),
  }),
  transferHandoff: t.prismaField({
    type: Handoff,
    description:
      'Transfers a claimed handoff to another team member, or assigns a requested one. A handoff that this member already owns is returned unchanged.',
    args: {
      input: t.arg({
        type: TransferHandoffInput,
        required: true,
      }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => transferHandoff(context, input, query),
  }),
  releaseHandoff: t.prismaField({
    type: Handoff,
    description:
      'Puts a handoff that the caller owns back into the queue, at its old place. The assistant answers in the meantime. A handoff that waits is returned unchanged. CONFLICT if another agent owns it.',
    args: { input: t.arg({ type: ReleaseHandoffInput, required: true }) },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => releaseHandoff(context, input, query),
  }),
  replyToConversation: t.prismaField({
    type: Message,
    description:
      'Sends a reply to the end user of a conversation that a team member owns. Other team members may reply, too.',
    args: {
      input: t.arg({
        type: ReplyToConversationInput,
        required: true,
      }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => replyToConversation(context, input, query),
  }),
  resolveHandoff: t.prismaField({
    type: Handoff,
    description:
      "Resolves a handoff and its conversation. The end user's next message reopens the conversation for the assistant. A resolved handoff is returned unchanged.",
    args: {
      input: t.arg({ type: ResolveHandoffInput, required: true }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => resolveHandoff(context, input, query),
  }),
  returnToAssistant: t.prismaField({
    type: Handoff,
    description:
      'Resolves a handoff and keeps the conversation open. The assistant answers the next message. A resolved handoff is returned unchanged.',
    args: {
      input: t.arg({ type: ReturnToAssistantInput, required: true }),
    },
    authScopes: { permission: 'handoffs:work' },
    resolve: (query, _root, { input }, context) => returnToAssistant(context, input, query),
  }),
}));
