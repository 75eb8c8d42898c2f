import { eraseEndUser, type EraseReport as Report } from '../domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../domain/end-users/export-end-user.ts';
import { builder } from './builder.ts';
import { fieldsSchema, optionalEndUserId } from './input-rules.ts';

const EraseReport = builder.objectRef<Report>('EraseReport').implement({
  description: 'Number of deleted records of an end user, by kind.',
  fields: (t) => ({
    conversations: t.exposeInt('conversations'),
    messages: t.exposeInt('messages', { description: 'Messages of all roles.' }),
    handoffs: t.exposeInt('handoffs', {
      description: 'Handoffs, including their contact details and reasons.',
    }),
    satisfaction: t.exposeInt('satisfaction', {
      description: 'Ratings of agents with their comments, and questions without an answer.',
    }),
    notes: t.exposeInt('notes', { description: 'Internal notes of the team.' }),
    inboxEvents: t.exposeInt('inboxEvents', { description: 'Events of the handoff inbox.' }),
    feedback: t.exposeInt('feedback', { description: 'Ratings and comments on answers.' }),
    questions: t.exposeInt('questions', {
      description:
        'Questions of evaluation sets that were taken from the conversations, with earlier wordings. Their results are deleted, too.',
    }),
    streamEvents: t.exposeInt('streamEvents', {
      description: 'Stored events of resumable answers.',
    }),
    webhookEvents: t.exposeInt('webhookEvents', {
      description: "Webhook events about the end user's conversations.",
    }),
    webhookDeliveries: t.exposeInt('webhookDeliveries', {
      description: 'Webhook deliveries, sent or pending.',
    }),
    webhookAttempts: t.exposeInt('webhookAttempts', {
      description: "Logged delivery attempts, including the receivers' responses.",
    }),
    jobs: t.exposeInt('jobs', { description: 'Queued jobs that deliver webhooks.' }),
    keptAnswers: t.exposeInt('keptAnswers', {
      description: 'Responses stored for requests with an `Idempotency-Key`.',
    }),
  }),
});

const EraseEndUserInput = endUserInput('EraseEndUserInput');
const ExportEndUserInput = endUserInput('ExportEndUserInput');

function endUserInput(name: string) {
  return builder.inputType(name, {
    validate: fieldsSchema({ endUserId: optionalEndUserId }),
    fields: (t) => ({
      projectId: t.id({ required: true }),
      endUserId: t.string({
        required: true,
        description: 'The `endUserId` sent with the messages, 1 to 128 characters.',
      }),
    }),
  });
}

builder.mutationFields((t) => ({
  eraseEndUser: t.field({
    type: EraseReport,
    description:
      'Deletes all stored data of an end user, including conversations, handoffs and webhook events. Stops running answers first. Keeps usage counters. Safe to repeat. For owners and admins.',
    args: { input: t.arg({ type: EraseEndUserInput, required: true }) },
    authScopes: { permission: 'end-users:manage' },
    resolve: (_root, { input }, context) => eraseEndUser(context, input),
  }),
  exportEndUser: t.field({
    type: 'JSON',
    description:
      'Returns all stored data of an end user but the internal notes of the team, to answer a data access request. For owners and admins.',
    args: { input: t.arg({ type: ExportEndUserInput, required: true }) },
    authScopes: { permission: 'end-users:manage' },
    resolve: (_root, { input }, context) => exportEndUser(context, input),
  }),
}));
