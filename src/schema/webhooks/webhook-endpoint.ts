import { pageOf } from '../../domain/offset-pagination.ts';
import {
  createWebhookEndpoint,
  type NewWebhookSecret as NewSecret,
} from '../../domain/webhooks/create-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../domain/webhooks/rotate-webhook-secret.ts';
import {
  deleteWebhookEndpoint,
  type WebhookEndpoint as Endpoint,
  getWebhookEndpoint,
  isPaused,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoints.ts';
import { builder } from '../builder.ts';
import { connectionFromArray } from '../connection-from-array.ts';
import { idInput } from '../id-input.ts';
import { fieldsSchema, nonBlankText, optionalInteger } from '../input-rules.ts';
import { Node } from '../node.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const endpointUrlSchema = nonBlankText(2000);

const WebhookEndpoint = builder.objectRef<Endpoint>('WebhookEndpoint').implement({
  description: 'A URL that receives events of a project as Standard Webhooks.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    projectId: t.exposeID('projectId'),
    url: t.exposeString('url'),
    types: t.exposeStringList('types', { description: 'Event types that the endpoint receives.' }),
    isEnabled: t.boolean({
      description: 'Disabled endpoints receive no events.',
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    isPaused: t.boolean({
      description:
        'Whether an operator disabled the endpoint. False if the service disabled it, or if it is enabled.',
      resolve: isPaused,
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while the endpoint is enabled.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the endpoint was disabled. Null while it is enabled.',
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time until which messages are also signed with the previous secret. Null if there is no previous secret.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const NewWebhookSecret = builder.objectRef<NewSecret>('NewWebhookSecret').implement({
  description: 'A webhook endpoint and its new secret.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description: 'Signing secret: `whsec_` and base64. Store it now: it cannot be read again.',
    }),
    endpoint: t.field({
      type: WebhookEndpoint,
      resolve: ({ endpoint }) => endpoint,
    }),
  }),
});

const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  validate: fieldsSchema({ url: endpointUrlSchema }),
  fields: (t) => ({
    projectId: t.id({ required: true }),
    url: t.string({ required: true, description: 'An https URL, at most 2,000 characters.' }),
    types: t.stringList({ description: 'Event types to receive. Default: all.' }),
  }),
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'Changes to a webhook endpoint. Omitted fields stay unchanged.',
  validate: fieldsSchema({ url: endpointUrlSchema.nullish() }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('endpoint')),
    url: t.string({ description: 'An https URL, at most 2,000 characters.' }),
    types: t.stringList({ description: 'Event types to receive, at least one.' }),
    isEnabled: t.boolean({ description: 'False disables the endpoint. True enables it again.' }),
  }),
});

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  validate: fieldsSchema({ overlapSeconds: optionalInteger(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('endpoint')),
    overlapSeconds: t.int({
      description:
        'Seconds for which messages are also signed with the old secret, 0 to 2,592,000 (30 days). Default: 86,400 (one day).',
    }),
  }),
});

const DeleteWebhookEndpointInput = idInput('DeleteWebhookEndpointInput', 'endpoint');

const WebhookEndpointPage = createPageType('WebhookEndpointPage', WebhookEndpoint);

builder.queryFields((t) => ({
  webhookEndpoint: t.field({
    type: WebhookEndpoint,
    description: 'A webhook endpoint by id. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: {
      id: t.arg.id({ required: true }),
      projectId: t.arg.id(expectedProject('endpoint')),
    },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, args, context) => getWebhookEndpoint(context, args),
  }),
  webhookEndpointPage: t.field({
    type: WebhookEndpointPage,
    description:
      'Webhook endpoints of a project by page number, newest first. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { projectId: t.arg.id({ required: true }), ...pageArguments },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'webhooks:manage' },
    resolve: async (_root, args, context) =>
      pageOf(args, await listWebhookEndpoints(context, args)),
  }),
  webhookEndpoints: t.connection({
    type: WebhookEndpoint,
    description:
      'Webhook endpoints of a project, newest first. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: async (_root, args, context) =>
      connectionFromArray(args, await listWebhookEndpoints(context, args)),
  }),
}));

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: NewWebhookSecret,
    description:
      'Creates a webhook endpoint, at most 20 per project. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: CreateWebhookEndpointInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => createWebhookEndpoint(context, input),
  }),
  updateWebhookEndpoint: t.field({
    type: WebhookEndpoint,
    description:
      'Changes, disables or enables a webhook endpoint. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: UpdateWebhookEndpointInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => updateWebhookEndpoint(context, input),
  }),
  rotateWebhookSecret: t.field({
    type: NewWebhookSecret,
    description:
      'Replaces the signing secret. During the overlap, messages are signed with both secrets. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => rotateWebhookSecret(context, input),
  }),
  deleteWebhookEndpoint: t.field({
    type: WebhookEndpoint,
    description:
      'Deletes a webhook endpoint and its deliveries. For owners, admins and API keys with `WEBHOOKS_WRITE`.',
    args: { input: t.arg({ type: DeleteWebhookEndpointInput, required: true }) },
    authScopes: { permission: 'webhooks:manage' },
    resolve: (_root, { input }, context) => deleteWebhookEndpoint(context, input),
  }),
}));
