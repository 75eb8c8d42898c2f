import { eraseEndUser, type EraseReport as Report } from '../domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../domain/end-users/export-end-user.ts';
import { builder } from './builder.ts';
import { endUserIdText, rules } from './text-rules.ts';

const EraseReport = builder.objectRef<Report>('EraseReport').implement({
  description: 'How much of an end user was removed.',
  fields: (t) => ({
    conversations: t.exposeInt('conversations', { description: 'With all that was said.' }),
    messages: t.exposeInt('messages', { description: 'Of all sides.' }),
    handoffs: t.exposeInt('handoffs', { description: 'With address, name and reason.' }),
    inboxEvents: t.exposeInt('inboxEvents', { description: 'Events of the inbox.' }),
    feedback: t.exposeInt('feedback', { description: 'Opinions on answers.' }),
    streamEvents: t.exposeInt('streamEvents', {
      description: 'Events of answers, kept so that their streams can be resumed.',
    }),
    webhookEvents: t.exposeInt('webhookEvents', {
      description: 'What webhooks told of the end user.',
    }),
    webhookDeliveries: t.exposeInt('webhookDeliveries', {
      description: 'Webhooks, sent or yet to be sent.',
    }),
    webhookAttempts: t.exposeInt('webhookAttempts', {
      description: 'Tries of deliveries, with what the receivers answered.',
    }),
    jobs: t.exposeInt('jobs', { description: 'Orders to deliver webhooks.' }),
    keptAnswers: t.exposeInt('keptAnswers', {
      description: 'Answers kept for requests with an `Idempotency-Key`.',
    }),
  }),
});

const EndUserInput = builder.inputType('EndUserInput', {
  description: 'Names an end user of a project.',
  validate: rules({ endUserId: endUserIdText }),
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project.' }),
    endUserId: t.string({
      required: true,
      description: 'As it was given to the conversations.',
    }),
  }),
});

builder.mutationFields((t) => ({
  eraseEndUser: t.field({
    type: EraseReport,
    description:
      'Removes everything that is stored of an end user: conversations, handoffs, webhook events and all copies. ' +
      'Answers that are being generated are stopped first. Usage stays counted. Safe to repeat.',
    args: { input: t.arg({ type: EndUserInput, required: true, description: 'Which end user.' }) },
    authScopes: { permission: 'end-users:manage' },
    resolve: (_root, { input }, context) => eraseEndUser(context, input),
  }),
  exportEndUser: t.field({
    type: 'JSON',
    description: 'Everything that is stored of an end user, to be handed to that person.',
    args: { input: t.arg({ type: EndUserInput, required: true, description: 'Which end user.' }) },
    authScopes: { permission: 'end-users:manage' },
    resolve: (_root, { input }, context) => exportEndUser(context, input),
  }),
}));
