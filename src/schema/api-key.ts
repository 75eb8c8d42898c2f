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
  values: Object.values(ApiKeyScopes),
});

const ApiKey = builder.prismaObject('ApiKey', {
  description: 'A secret key of the REST interface. Its text is known only at its creation.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', { description: 'How the key begins.' }),
    lastFour: t.exposeString('lastFour', { description: 'How the key ends.' }),
    scopes: t.expose('scopes', { type: [ApiKeyScope] }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'Null for a key that is valid for the whole organization.',
    }),
    createdBy: t.exposeString('createdBy'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'May lag by up to a minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
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
      apiKey: t.field({ type: ApiKey, resolve: ({ apiKey }) => apiKey }),
    }),
  });

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    organizationId: t.id({ required: true }),
    projectId: t.id({ description: 'Left out: a key for the whole organization.' }),
    name: t.string({ required: true }),
    scopes: t.field({ type: [ApiKeyScope], required: true }),
    expiresAt: t.field({ type: 'DateTime' }),
  }),
});

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  validate: rules({ overlapSeconds: wholeNumber(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    id: t.id({ required: true }),
    overlapSeconds: t.int({
      description: 'How long the old key stays valid. A day when left out, 0 for not at all.',
    }),
  }),
});

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  fields: (t) => ({ id: t.id({ required: true }) }),
});

builder.queryFields((t) => ({
  apiKeys: t.prismaConnection({
    type: ApiKey,
    cursor: 'id',
    description: "An organization's keys, newest first.",
    args: { organizationId: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (query, _root, { organizationId }, context) =>
      listApiKeys(context, { organizationId }, query),
  }),
}));

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description: 'Makes a key.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => createApiKey(context, input),
  }),
  rotateApiKey: t.field({
    type: NewApiKey,
    description: 'Makes a key that replaces another.',
    args: { input: t.arg({ type: RotateApiKeyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => rotateApiKey(context, input),
  }),
  revokeApiKey: t.prismaField({
    type: ApiKey,
    description: 'Ends a key at once.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => revokeApiKey(context, input),
  }),
}));
