import { getUsage, type Usage as Shape } from '../domain/usage/usage.ts';
import { builder } from './builder.ts';

const UsagePeriod = builder.objectRef<Shape['period']>('UsagePeriod').implement({
  description: 'A calendar month, UTC.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime' }),
    end: t.expose('end', { type: 'DateTime', description: 'The first moment of the next period.' }),
  }),
});

const MessageUsage = builder.objectRef<Shape['messages']>('MessageUsage').implement({
  description: 'Messages answered by the assistant. One whose answer failed is not counted.',
  fields: (t) => ({
    used: t.exposeInt('used'),
    limit: t.exposeInt('limit', { nullable: true, description: 'Null: unlimited.' }),
    remaining: t.exposeInt('remaining', { nullable: true, description: 'Null: unlimited.' }),
  }),
});

const StorageUsage = builder.objectRef<Shape['storage']>('StorageUsage').implement({
  description: 'Bytes of all documents that are stored now.',
  fields: (t) => ({
    usedBytes: t.exposeFloat('usedBytes'),
    limitBytes: t.exposeFloat('limitBytes', { nullable: true, description: 'Null: unlimited.' }),
  }),
});

const TokenUsage = builder.objectRef<Shape['tokens']>('TokenUsage').implement({
  description: 'Tokens that models have counted, also for answers that were stopped or failed.',
  fields: (t) => ({
    input: t.exposeFloat('input', { description: 'Read by the chat model.' }),
    output: t.exposeFloat('output', { description: 'Written by the chat model.' }),
    embedding: t.exposeFloat('embedding', {
      description: 'Read by the embedding model, for documents, searches and questions.',
    }),
    total: t.exposeFloat('total'),
  }),
});

const Usage = builder.objectRef<Shape>('Usage').implement({
  description: 'What an organization has used in the current period.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId'),
    plan: t.exposeString('plan', { description: 'The name of the plan.' }),
    period: t.expose('period', { type: UsagePeriod }),
    messages: t.expose('messages', { type: MessageUsage }),
    storage: t.expose('storage', { type: StorageUsage }),
    tokens: t.expose('tokens', { type: TokenUsage }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: Usage,
    description: "An organization's usage of the current period, with its limits.",
    args: {
      organizationId: t.arg.id({ required: true }),
      projectId: t.arg.id({
        description: "Where it is given, it must be one of the organization's.",
      }),
    },
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getUsage(context, args),
  }),
);
