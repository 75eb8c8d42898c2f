import { HandoffStatus as Statuses } from '../domain/generated/prisma/enums.ts';
import { listHandoffs } from '../domain/handoff/handoffs.ts';
import { requestHandoff } from '../domain/handoff/request-handoff.ts';
import { builder } from './builder.ts';
import { emailText, optionalText, rules, text } from './text-rules.ts';

const HandoffStatus = builder.enumType('HandoffStatus', {
  description:
    'REQUESTED until somebody of the team takes it, then CLAIMED, and RESOLVED at the end.',
  values: Object.values(Statuses),
});

export const Handoff = builder.prismaObject('Handoff', {
  description:
    'An end user who is to talk to a person of the team. A conversation has one at a time.',
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
      description: 'Where the end user can be reached.',
    }),
    name: t.exposeString('name', { nullable: true, description: "The end user's name." }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was requested.' }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', nullable: true }),
    claimedBy: t.exposeString('claimedBy', {
      nullable: true,
      description: 'The operator who has taken it.',
    }),
    resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true }),
    isNew: t.boolean({
      description: 'Whether the operation that gave this answer opened the handoff.',
      resolve: (handoff) => 'isNew' in handoff && handoff.isNew === true,
    }),
  }),
});

const RequestHandoffInput = builder.inputType('RequestHandoffInput', {
  validate: rules({
    email: emailText.nullish(),
    name: text(200).nullish(),
    reason: optionalText(2000),
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    conversationId: t.id({ required: true }),
    email: t.string({ description: 'Where the end user can be reached.' }),
    name: t.string({ description: "The end user's name, at most 200 characters." }),
    reason: t.string({ description: 'Why it is requested, at most 2,000 characters.' }),
  }),
});

builder.queryField('handoffs', (t) =>
  t.prismaConnection({
    type: Handoff,
    cursor: 'id',
    description: "A project's handoffs, the latest request first.",
    args: {
      projectId: t.arg.id({ required: true }),
      status: t.arg({ type: HandoffStatus }),
    },
    authScopes: { permission: 'conversations:read' },
    resolve: (query, _root, args, context) => listHandoffs(context, args, query),
  }),
);

builder.mutationField('requestHandoff', (t) =>
  t.prismaField({
    type: Handoff,
    description:
      'Asks the team to take over a conversation. While its handoff is open, that is the answer, unchanged.',
    args: { input: t.arg({ type: RequestHandoffInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => requestHandoff(context, input, query),
  }),
);
