import { getUsage, type Usage as Shape } from '../domain/usage/usage.ts';
import { type UsageDay as Day, listUsageDays } from '../domain/usage/usage-days.ts';
import { builder } from './builder.ts';
import { dayRange, organizationDays } from './day-range.ts';

const UsagePeriod = builder.objectRef<Shape['period']>('UsagePeriod').implement({
  description: 'A calendar month, UTC.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'The first moment.' }),
    end: t.expose('end', { type: 'DateTime', description: 'The first moment of the next period.' }),
  }),
});

const MessageUsage = builder.objectRef<Shape['messages']>('MessageUsage').implement({
  description: 'Messages answered by the assistant. One whose answer failed is not counted.',
  fields: (t) => ({
    used: t.exposeInt('used', { description: 'In this period.' }),
    limit: t.exposeInt('limit', { nullable: true, description: 'Null: unlimited.' }),
    remaining: t.exposeInt('remaining', { nullable: true, description: 'Null: unlimited.' }),
  }),
});

const StorageUsage = builder.objectRef<Shape['storage']>('StorageUsage').implement({
  description: 'Bytes of all documents that are stored now.',
  fields: (t) => ({
    usedBytes: t.exposeFloat('usedBytes', { description: 'At this moment.' }),
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
    total: t.exposeFloat('total', { description: 'All three.' }),
  }),
});

const Usage = builder.objectRef<Shape>('Usage').implement({
  description: 'What an organization has used in the current period.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'Who has used it.' }),
    plan: t.exposeString('plan', { description: 'The name of the plan.' }),
    period: t.expose('period', { type: UsagePeriod, description: 'When it was used.' }),
    messages: t.expose('messages', { type: MessageUsage, description: 'Against the allowance.' }),
    storage: t.expose('storage', { type: StorageUsage, description: 'Against the allowance.' }),
    tokens: t.expose('tokens', {
      type: TokenUsage,
      description: 'For information: they are not limited.',
    }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: Usage,
    description: "An organization's usage of the current period, with its limits.",
    args: {
      organizationId: t.arg.id({ required: true, description: 'The organization.' }),
      projectId: t.arg.id({
        description: "Where it is given, it must be one of the organization's.",
      }),
    },
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getUsage(context, args),
  }),
);

const UsageDay = builder.objectRef<Day>('UsageDay').implement({
  description: 'What an organization has used on one day, UTC. The days of a month add up to it.',
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'The first moment of the day.' }),
    messages: t.exposeInt('messages', {
      description:
        'Messages answered by the assistant. One whose answer failed is not counted on the day it was asked.',
    }),
    tokens: t.expose('tokens', { type: TokenUsage, description: 'What models have counted.' }),
    storedBytes: t.exposeFloat('storedBytes', {
      description: 'Bytes of all documents when the day ended, or now.',
    }),
  }),
});

builder.queryField('usageByDay', (t) =>
  t.field({
    type: [UsageDay],
    description:
      "An organization's usage of each day, oldest first, days without any included. At most 366 days.",
    args: organizationDays,
    validate: dayRange,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => listUsageDays(context, args),
  }),
);
