import { redeliverWebhook } from '../../domain/webhooks/redeliver-webhook.ts';
import { sendTestWebhook } from '../../domain/webhooks/send-test-webhook.ts';
import {
  listWebhookDeliveries,
  listWebhookDeliveriesByPage,
} from '../../domain/webhooks/webhook-deliveries.ts';
import { webhookBody } from '../../domain/webhooks/webhook-event-types.ts';
import { WebhookDeliveryStatus as Statuses } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalText } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'State of a webhook delivery.',
  values: {
    [Statuses.PENDING]: { description: 'Waiting for the first or the next attempt.' },
    [Statuses.DELIVERED]: { description: 'The receiver responded with 2xx.' },
    [Statuses.FAILED]: { description: 'The last attempt failed. There are no further attempts.' },
  },
});

const WebhookAttempt = builder.prismaObject('WebhookAttempt', {
  description: 'One attempt to deliver a webhook.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the attempt, counted from 1.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime' }),
    latencyMs: t.exposeInt('latencyMs', {
      description: 'Time until the response or the failure, in milliseconds.',
    }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'HTTP status of the response. Null if there was none.',
    }),
    responseExcerpt: t.exposeString('responseExcerpt', {
      nullable: true,
      description: 'First 4,096 bytes of the response body. Null if there was no response.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the attempt failed. Null if it succeeded.',
    }),
  }),
});

const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: 'Delivery of one event to one endpoint.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    endpointId: t.exposeID('endpointId'),
    eventId: t.exposeID('eventId', { description: 'The `webhook-id` header of every attempt.' }),
    eventType: t.string({
      description: 'Event type, such as `human.requested`.',
      select: { event: { select: { type: true } } },
      resolve: ({ event }) => event.type,
    }),
    body: t.string({
      nullable: true,
      description:
        'Body of every attempt, at most 20,000 bytes of JSON. Also needs the permission to read conversations, of which events have texts.',
      authScopes: { permission: 'conversations:read' },
      select: { event: { select: { type: true, occurredAt: true, data: true } } },
      resolve: ({ event }) => webhookBody(event),
    }),
    status: t.expose('status', { type: WebhookDeliveryStatus }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts so far.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the next attempt. Null before the first attempt and after the last one.',
    }),
    lastResponseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'HTTP status of the latest attempt. Null if there was no response.',
    }),
    lastLatencyMs: t.exposeInt('latencyMs', {
      nullable: true,
      description: 'Duration of the latest attempt in milliseconds. Null before the first attempt.',
    }),
    log: t.relation('log', {
      type: WebhookAttempt,
      description: 'Attempts, latest first, at most 100.',
      query: { orderBy: { number: 'desc' }, take: 100 },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const SendTestWebhookInput = builder.inputType('SendTestWebhookInput', {
  fields: (t) => ({
    endpointId: t.id({ required: true }),
    projectId: t.id(expectedProject('endpoint')),
  }),
});

const RedeliverWebhookInput = builder.inputType('RedeliverWebhookInput', {
  fields: (t) => ({
    deliveryId: t.id({ required: true }),
    projectId: t.id(expectedProject('delivery')),
  }),
});

const WebhookDeliveryPage = createPageType('WebhookDeliveryPage', WebhookDelivery);

builder.queryFields((t) => ({
  webhookDeliveryPage: t.field({
    type: WebhookDeliveryPage,
    description:
      'Webhook deliveries of an endpoint by page number, newest first. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: {
      projectId: t.arg.id({ required: true }),
      endpointId: t.arg.id({ required: true }),
      status: t.arg({ type: WebhookDeliveryStatus }),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, args, context) => listWebhookDeliveriesByPage(context, args),
  }),
  webhookDeliveries: t.prismaConnection({
    type: WebhookDelivery,
    cursor: 'id',
    description:
      'Webhook deliveries of a project, newest first. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: {
      projectId: t.arg.id({ required: true }),
      endpointId: t.arg.id(),
      status: t.arg({ type: WebhookDeliveryStatus }),
      eventType: t.arg.string({ description: 'Event type, such as `human.requested`.' }),
    },
    validate: fieldsSchema({ eventType: optionalText(60) }),
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, args, context) => listWebhookDeliveries(context, args, query),
  }),
}));

builder.mutationFields((t) => ({
  sendTestWebhook: t.prismaField({
    type: WebhookDelivery,
    description:
      'Sends an event of type `webhook.test` to an endpoint, even if it does not subscribe to that type. Signing, retries and logging are the same as for other events. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: SendTestWebhookInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, { input }, context) => sendTestWebhook(context, input, query),
  }),
  redeliverWebhook: t.prismaField({
    type: WebhookDelivery,
    description:
      'Sends a delivery again at once, with the `webhook-id` of the first attempt. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: RedeliverWebhookInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (query, _root, { input }, context) => redeliverWebhook(context, input, query),
  }),
}));
