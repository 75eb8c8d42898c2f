import {
  createApiKey,
  listApiKeys,
  listApiKeysByPage,
  revokeApiKey,
  rotateApiKey,
} from '../../domain/api-keys/api-keys.ts';
import { ApiKeyScope as ApiKeyScopes } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText, optionalDateTime, optionalInteger } from '../input-rules.ts';
import { Node } from '../node.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from '../page-type.ts';

const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description:
    'Permission of an API key. The REST API writes scopes as `chat`, `knowledge:read` and so on.',
  values: {
    [ApiKeyScopes.CHAT]: {
      description: 'Send messages, stop or rate answers, and request handoffs (`chat`).',
    },
    [ApiKeyScopes.KNOWLEDGE_READ]: { description: 'Read and search documents (`knowledge:read`).' },
    [ApiKeyScopes.KNOWLEDGE_WRITE]: {
      description: 'Create, delete and retry documents (`knowledge:write`).',
    },
    [ApiKeyScopes.CONVERSATIONS_READ]: {
      description: 'List conversations and read transcripts (`conversations:read`).',
    },
    [ApiKeyScopes.ANALYTICS_READ]: { description: 'Read usage figures (`analytics:read`).' },
    [ApiKeyScopes.HANDOFF_WRITE]: {
      description: 'Claim, transfer and resolve handoffs, and reply as an agent (`handoff:write`).',
    },
    [ApiKeyScopes.WEBHOOKS_WRITE]: {
      description: 'Read and manage webhook endpoints and their deliveries (`webhooks:write`).',
    },
    [ApiKeyScopes.KEYS_WRITE]: {
      description: 'List, create, rotate and revoke API keys (`keys:write`).',
    },
    [ApiKeyScopes.EVALUATION_READ]: {
      description: 'Read question sets and evaluation runs (`evaluation:read`).',
    },
    [ApiKeyScopes.EVALUATION_WRITE]: {
      description: 'Change question sets, start and cancel evaluation runs (`evaluation:write`).',
    },
  },
});

export const ApiKey = builder.prismaObject('ApiKey', {
  description:
    'API key for REST and GraphQL. The secret itself is returned only once, when the key is created.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Id of the API key. The id is not secret and does not authenticate.',
    }),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', {
      description: 'First characters of the secret, for display: `sk_` and four more.',
    }),
    lastFour: t.exposeString('lastFour', {
      description: 'Last four characters of the secret, for display.',
    }),
    scopes: t.expose('scopes', { type: [ApiKeyScope] }),
    filter: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The documents that the key sees, as a `DocumentFilter`. Null: all documents of its projects.',
      resolve: ({ filter }) => storedFilter(filter),
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'Null if the key is valid for all projects of the organization.',
    }),
    createdBy: t.exposeString('createdBy', {
      description:
        'E-mail address of the operator who created the key, `key:` and the name of an API key, or `service`. The user id if the address is not verified.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the last request with this key, updated at most once per 60 seconds. Null if never used.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Expiry time. Null if the key does not expire.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when the key stops working. In the future while a rotated key is still valid. Null if not revoked.',
    }),
  }),
});

/** The column contains a filter, but Prisma only types it as JSON. */
function storedFilter(filter: unknown): object | null {
  return typeof filter === 'object' ? filter : null;
}

const NewApiKey = builder
  .objectRef<Awaited<ReturnType<typeof createApiKey>>>('NewApiKey')
  .implement({
    description: 'A new API key and its secret.',
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The secret to authenticate with. Store it now: it cannot be read again.',
      }),
      apiKey: t.field({
        type: ApiKey,
        resolve: ({ apiKey }) => apiKey,
      }),
    }),
  });

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A new API key for one project or for a whole organization.',
  validate: fieldsSchema({ name: nonBlankText(200), expiresAt: optionalDateTime }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    projectId: t.id({ description: 'Omit to create a key for all projects of the organization.' }),
    isOrgWide: t.boolean({
      description:
        'True creates a key for all projects of the organization, also with `projectId`.',
    }),
    name: t.string({ required: true, description: 'Display name, 1 to 200 characters.' }),
    scopes: t.field({
      type: [ApiKeyScope],
      required: true,
      description: 'At least one scope.',
    }),
    filter: t.field({
      type: 'DocumentFilter',
      description:
        'The documents that the key sees. Such a key cannot have `KNOWLEDGE_WRITE` or `WEBHOOKS_WRITE`. Omit for all documents, or those of the API key that creates it.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'Expiry time, in the future. Omit for a key that does not expire, or that expires with the API key that creates it.',
    }),
  }),
});

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'The API key to rotate, and how long the old key stays valid.',
  validate: fieldsSchema({ overlapSeconds: optionalInteger(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the old key.' }),
    projectId: t.id({
      description: 'Project that the key must be valid for. Default: any project of the caller.',
    }),
    overlapSeconds: t.int({
      description:
        'Seconds for which the old key stays valid, 0 to 2,592,000 (30 days). Default: 86,400 (one day).',
    }),
  }),
});

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id({
      description: 'Project that the key must be valid for. Default: any project of the caller.',
    }),
  }),
});

const ApiKeyPage = createPageType('ApiKeyPage', ApiKey);

builder.queryFields((t) => ({
  apiKeyPage: t.field({
    type: ApiKeyPage,
    description:
      'API keys of an organization by page number, newest first. For owners, admins and API keys with `KEYS_WRITE`.',
    args: {
      organizationId: t.arg.id({ required: true }),
      projectId: t.arg.id({
        description: 'Only keys that are valid for this project: its own and org-wide ones.',
      }),
      ...pageArguments,
    },
    validate: fieldsSchema(pageArgumentSchemas),
    authScopes: { permission: 'keys:manage' },
    resolve: (_root, args, context) => listApiKeysByPage(context, args),
  }),
  apiKeys: t.prismaConnection({
    type: ApiKey,
    cursor: 'id',
    description:
      'API keys of an organization, newest first. For owners, admins and API keys with `KEYS_WRITE`.',
    args: { organizationId: t.arg.id({ required: true }) },
    authScopes: { permission: 'keys:manage' },
    resolve: (query, _root, { organizationId }, context) =>
      listApiKeys(context, { organizationId }, query),
  }),
}));

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description:
      'Creates an API key. For owners and admins, and for API keys, which can only create keys that can do no more than themselves.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true }) },
    authScopes: { permission: 'keys:manage' },
    resolve: (_root, { input }, context) => createApiKey(context, input),
  }),
  rotateApiKey: t.field({
    type: NewApiKey,
    description:
      'Creates a key with the same name, project, scopes and filter. The old key stays valid for an overlap and is then revoked. For owners, admins and API keys with `KEYS_WRITE`.',
    args: { input: t.arg({ type: RotateApiKeyInput, required: true }) },
    authScopes: { permission: 'keys:manage' },
    resolve: (_root, { input }, context) => rotateApiKey(context, input),
  }),
  revokeApiKey: t.prismaField({
    type: ApiKey,
    description:
      'Revokes an API key, and the keys that it has created or rotated, with immediate effect. For owners, admins and API keys with `KEYS_WRITE`.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true }) },
    authScopes: { permission: 'keys:manage' },
    resolve: (_query, _root, { input }, context) => revokeApiKey(context, input),
  }),
}));
