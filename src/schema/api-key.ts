import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../domain/api-keys/api-keys.ts';
import { ApiKeyScope as ApiKeyScopes } from '../domain/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { rules, text, wholeNumber } from './text-rules.ts';

const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'What a key may do. REST spells them `chat`, `knowledge:read` and so on.',
  values: {
    [ApiKeyScopes.CHAT]: { description: 'Ask, rate answers and request a handoff: `chat`.' },
    [ApiKeyScopes.KNOWLEDGE_READ]: { description: 'List and search documents: `knowledge:read`.' },
    [ApiKeyScopes.KNOWLEDGE_WRITE]: {
      description: 'Make, remove and retry documents: `knowledge:write`.',
    },
    [ApiKeyScopes.CONVERSATIONS_READ]: { description: 'Read conversations: `conversations:read`.' },
    [ApiKeyScopes.ANALYTICS_READ]: { description: 'Read usage: `analytics:read`.' },
  },
});

export const ApiKey = builder.prismaObject('ApiKey', {
  description: 'A secret key of the REST interface. Its text is known only at its creation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the key, not its text.' }),
    name: t.exposeString('name', { description: 'For people to read.' }),
    prefix: t.exposeString('prefix', { description: 'How the key begins.' }),
    lastFour: t.exposeString('lastFour', { description: 'How the key ends.' }),
    scopes: t.expose('scopes', { type: [ApiKeyScope], description: 'What it may do.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'Null for a key that is valid for the whole organization.',
    }),
    createdBy: t.exposeString('createdBy', {
      description: 'The address of the operator who made it, or `service`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'May lag by up to a minute.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself. Null: never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'In the future while a rotated key is still valid.',
    }),
  }),
});

const NewApiKey = builder
  .objectRef<Awaited<ReturnType<typeof createApiKey>>>('NewApiKey')
  .implement({
    description: 'A key at its creation.',
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The text of the key. It is shown only here.',
      }),
      apiKey: t.field({
        type: ApiKey,
        description: 'The key as it is listed from now on.',
        resolve: ({ apiKey }) => apiKey,
      }),
    }),
  });

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A key to be made.',
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Whose key it is.' }),
    projectId: t.id({ description: 'Left out: a key for the whole organization.' }),
    name: t.string({ required: true, description: 'For people to read, at most 200 characters.' }),
    scopes: t.field({
      type: [ApiKeyScope],
      required: true,
      description: 'What it may do, at least one.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it ends by itself. Left out: never.',
    }),
  }),
});

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'A key to be replaced.',
  validate: rules({ overlapSeconds: wholeNumber(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the old key.' }),
    overlapSeconds: t.int({
      description: 'How long the old key stays valid. A day when left out, 0 for not at all.',
    }),
  }),
});

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'A key to be ended.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Of the key.' }) }),
});

builder.queryFields((t) => ({
  apiKeys: t.prismaConnection({
    type: ApiKey,
    cursor: 'id',
    description: "An organization's keys, newest first.",
    args: { organizationId: t.arg.id({ required: true, description: 'The organization.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (query, _root, { organizationId }, context) =>
      listApiKeys(context, { organizationId }, query),
  }),
}));

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description: 'Makes a key.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createApiKey(context, input),
  }),
  rotateApiKey: t.field({
    type: NewApiKey,
    description: 'Makes a key that replaces another.',
    args: { input: t.arg({ type: RotateApiKeyInput, required: true, description: 'Which key.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => rotateApiKey(context, input),
  }),
  revokeApiKey: t.prismaField({
    type: ApiKey,
    description: 'Ends a key at once.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'Which key.' }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => revokeApiKey(context, input),
  }),
}));
