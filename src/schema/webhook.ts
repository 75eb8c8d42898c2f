import { WebhookDeliveryStatus as Statuses } from '../domain/generated/prisma/enums.ts';
import {
  createWebhookEndpoint,
  type NewWebhookSecret as NewSecret,
} from '../domain/webhooks/create-webhook-endpoint.ts';
import { redeliverWebhook } from '../domain/webhooks/redeliver-webhook.ts';
import { rotateWebhookSecret } from '../domain/webhooks/rotate-webhook-secret.ts';
import { sendTestWebhook } from '../domain/webhooks/send-test-webhook.ts';
import { listWebhookDeliveries } from '../domain/webhooks/webhook-deliveries.ts';
import {
  deleteWebhookEndpoint,
  type WebhookEndpoint as Endpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../domain/webhooks/webhook-endpoints.ts';
import { builder } from './builder.ts';
import { connectionOf } from './list-connection.ts';
import { rules, text, wholeNumber } from './text-rules.ts';

const urlText = text(2000);

const WebhookEndpoint = builder.objectRef<Endpoint>('WebhookEndpoint').implement({
  description:
    'An address that is told of what happens in a project, by the rules of Standard Webhooks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the endpoint.' }),
    projectId: t.exposeID('projectId', { description: 'Whose events it gets.' }),
    url: t.exposeString('url', { description: 'Where they are sent.' }),
    types: t.exposeStringList('types', { description: 'The types of events it gets.' }),
    isEnabled: t.boolean({
      description: 'A disabled endpoint gets nothing.',
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was disabled. Null while it is enabled.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it was disabled.',
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until then messages are signed with the secret before the last rotation as well.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const NewWebhookSecret = builder.objectRef<NewSecret>('NewWebhookSecret').implement({
  description: 'An endpoint and its new secret.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description: 'What messages are signed with: `whsec_` and base64. It is shown only here.',
    }),
    endpoint: t.field({
      type: WebhookEndpoint,
      description: 'The endpoint that it signs for.',
      resolve: ({ endpoint }) => endpoint,
    }),
  }),
});

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description:
    'PENDING while there is a try to come, DELIVERED once the receiver has answered 2xx, FAILED after the last try.',
  values: {
    [Statuses.PENDING]: { description: 'There is a try to come.' },
    [Statuses.DELIVERED]: { description: 'The receiver has taken it.' },
    [Statuses.FAILED]: { description: 'There is no try to come.' },
  },
});

const WebhookAttempt = builder.prismaObject('WebhookAttempt', {
  description: 'One try to deliver.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Counts from 1.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When it was sent.' }),
    latencyMs: t.exposeInt('latencyMs', {
      description: 'Until the answer, or until it was given up.',
    }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'Null where there was no answer.',
    }),
    responseExcerpt: t.exposeString('responseExcerpt', {
      nullable: true,
      description: 'The first 4,096 bytes of the body of the answer.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the try has failed; null where it has not.',
    }),
  }),
});

const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: 'An event on its way to one endpoint.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the delivery.' }),
    projectId: t.exposeID('projectId', { description: 'Whose event it is.' }),
    endpointId: t.exposeID('endpointId', { description: 'Where it goes.' }),
    eventId: t.exposeID('eventId', {
      description: 'The `webhook-id` of each of its messages.',
    }),
    eventType: t.string({
      description: 'What has happened.',
      select: { event: { select: { type: true } } },
      resolve: ({ event }) => event.type,
    }),
    status: t.expose('status', {
      type: WebhookDeliveryStatus,
      description: 'How far it has come.',
    }),
    attempts: t.exposeInt('attempts', { description: 'How many tries there have been.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried again. Null before the first try, and at the end.',
    }),
    lastResponseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'Of the last try. Null where it got no answer.',
    }),
    lastLatencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Of the last try.' }),
    log: t.relation('log', {
      type: WebhookAttempt,
      description: 'Its tries, the last one first; at most 100.',
      query: { orderBy: { number: 'desc' }, take: 100 },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was ordered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'An endpoint to be made.',
  validate: rules({ url: urlText }),
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'Whose events it is to get.' }),
    url: t.string({ required: true, description: 'An https address, at most 2,000 characters.' }),
    types: t.stringList({ description: 'The types of events. All when left out.' }),
  }),
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'What is left out stays as it is.',
  validate: rules({ url: urlText.nullish() }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the endpoint.' }),
    url: t.string({ description: 'An https address, at most 2,000 characters.' }),
    types: t.stringList({ description: 'The types of events.' }),
    isEnabled: t.boolean({ description: 'True for an endpoint that was disabled as well.' }),
  }),
});

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'An endpoint that is to have another secret.',
  validate: rules({ overlapSeconds: wholeNumber(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the endpoint.' }),
    overlapSeconds: t.int({
      description: 'How long the old secret signs as well. A day when left out, 0 for not at all.',
    }),
  }),
});

const DeleteWebhookEndpointInput = builder.inputType('DeleteWebhookEndpointInput', {
  description: 'An endpoint to be removed.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Of the endpoint.' }) }),
});

const SendTestWebhookInput = builder.inputType('SendTestWebhookInput', {
  description: 'An endpoint to be tried out.',
  fields: (t) => ({ endpointId: t.id({ required: true, description: 'Of the endpoint.' }) }),
});

const RedeliverWebhookInput = builder.inputType('RedeliverWebhookInput', {
  description: 'A delivery to be sent again.',
  fields: (t) => ({ deliveryId: t.id({ required: true, description: 'Of the delivery.' }) }),
});

builder.queryFields((t) => ({
  webhookEndpoints: t.connection({
    type: WebhookEndpoint,
    description: "A project's endpoints, newest first.",
    args: { projectId: t.arg.id({ required: true, description: 'The project.' }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: async (_root, args, context) =>
      connectionOf(args, await listWebhookEndpoints(context, args)),
  }),
  webhookDeliveries: t.prismaConnection({
    type: WebhookDelivery,
    cursor: 'id',
    description: "A project's deliveries, newest first.",
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      endpointId: t.arg.id({ description: 'Only those to this endpoint.' }),
      status: t.arg({ type: WebhookDeliveryStatus, description: 'Only those in this state.' }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, args, context) => listWebhookDeliveries(context, args, query),
  }),
}));

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: NewWebhookSecret,
    description: 'Makes an endpoint. A project has at most 20.',
    args: {
      input: t.arg({
        type: CreateWebhookEndpointInput,
        required: true,
        description: 'The endpoint.',
      }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => createWebhookEndpoint(context, input),
  }),
  updateWebhookEndpoint: t.field({
    type: WebhookEndpoint,
    description: 'Changes an endpoint, disables it or enables it again.',
    args: {
      input: t.arg({
        type: UpdateWebhookEndpointInput,
        required: true,
        description: 'What is to change.',
      }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => updateWebhookEndpoint(context, input),
  }),
  rotateWebhookSecret: t.field({
    type: NewWebhookSecret,
    description:
      'Gives an endpoint another secret. For a while messages carry a signature with each.',
    args: {
      input: t.arg({
        type: RotateWebhookSecretInput,
        required: true,
        description: 'Which endpoint.',
      }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => rotateWebhookSecret(context, input),
  }),
  deleteWebhookEndpoint: t.field({
    type: WebhookEndpoint,
    description: 'Removes an endpoint with its deliveries.',
    args: {
      input: t.arg({
        type: DeleteWebhookEndpointInput,
        required: true,
        description: 'Which endpoint.',
      }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => deleteWebhookEndpoint(context, input),
  }),
  sendTestWebhook: t.prismaField({
    type: WebhookDelivery,
    description:
      'Sends an event of the type `webhook.test` to an endpoint, whatever types it gets, as any other is sent.',
    args: {
      input: t.arg({ type: SendTestWebhookInput, required: true, description: 'Which endpoint.' }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, { input }, context) => sendTestWebhook(context, input, query),
  }),
  redeliverWebhook: t.prismaField({
    type: WebhookDelivery,
    description: 'Sends a delivery again at once, with the same `webhook-id`.',
    args: {
      input: t.arg({ type: RedeliverWebhookInput, required: true, description: 'Which delivery.' }),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, { input }, context) => redeliverWebhook(context, input, query),
  }),
}));
