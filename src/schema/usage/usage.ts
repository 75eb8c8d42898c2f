import { type CountedUsage, getUsage, type Usage as Shape } from '../../domain/usage/usage.ts';
import { type UsageDay as Day, listUsageDays } from '../../domain/usage/usage-days.ts';
import { builder } from '../builder.ts';
import { dayRangeSchema, organizationDayRangeArgs } from './day-range.ts';

const UsagePeriod = builder.objectRef<Shape['period']>('UsagePeriod').implement({
  description: 'Billing period: a calendar month, UTC.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    end: t.expose('end', {
      type: 'DateTime',
      description: 'End of the period, exclusive: the start of the next one.',
    }),
  }),
});

const MessageUsage = builder.objectRef<Shape['messages']>('MessageUsage').implement({
  description: 'Messages answered by the assistant. Failed answers are not counted.',
  fields: (t) => ({
    used: t.exposeInt('used'),
    limit: t.exposeInt('limit', { nullable: true, description: 'Monthly limit. Null: unlimited.' }),
    remaining: t.exposeInt('remaining', {
      nullable: true,
      description: 'Messages left in this period. Null: unlimited.',
    }),
  }),
});

const QuestionUsage = builder.objectRef<CountedUsage>('QuestionUsage').implement({
  description: 'Questions of evaluation runs. Questions that failed are not counted.',
  fields: (t) => ({
    used: t.exposeInt('used'),
    limit: t.exposeInt('limit', { nullable: true, description: 'Monthly limit. Null: unlimited.' }),
    remaining: t.exposeInt('remaining', {
      nullable: true,
      description: 'Questions left in this period. Null: unlimited.',
    }),
  }),
});

const EvaluationUsage = builder.objectRef<Shape['evaluation']>('EvaluationUsage').implement({
  description:
    'Questions that evaluation runs asked and judged in this period, with their monthly limits.',
  fields: (t) => ({
    evaluated: t.expose('evaluated', {
      type: QuestionUsage,
      description:
        'Questions asked. A run with another embedding model also uses one for each batch of up to 96 chunks that it embeds.',
    }),
    judged: t.expose('judged', {
      type: QuestionUsage,
      description: 'Answers judged by the language model.',
    }),
  }),
});

const StorageUsage = builder.objectRef<Shape['storage']>('StorageUsage').implement({
  description: 'Storage used by an organization.',
  fields: (t) => ({
    usedBytes: t.exposeFloat('usedBytes', {
      description:
        'Bytes of documents, question sets, evaluation runs, and what people write in conversations.',
    }),
    limitBytes: t.exposeFloat('limitBytes', {
      nullable: true,
      description: 'Limit in bytes. Null: unlimited.',
    }),
  }),
});

const TokenUsage = builder.objectRef<Shape['tokens']>('TokenUsage').implement({
  description: 'Tokens reported by the models, including those of stopped and failed answers.',
  fields: (t) => ({
    input: t.exposeFloat('input', { description: 'Input tokens of the chat model.' }),
    output: t.exposeFloat('output', { description: 'Output tokens of the chat model.' }),
    embedding: t.exposeFloat('embedding', {
      description: 'Tokens embedded for documents, searches and questions.',
    }),
    total: t.exposeFloat('total', { description: 'Sum of input, output and embedding tokens.' }),
  }),
});

export const Usage = builder.objectRef<Shape>('Usage').implement({
  description: 'Usage of an organization in the current period.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId'),
    plan: t.exposeString('plan', { description: 'Name of the plan, such as `free`.' }),
    period: t.expose('period', { type: UsagePeriod }),
    messages: t.expose('messages', { type: MessageUsage }),
    evaluation: t.expose('evaluation', { type: EvaluationUsage }),
    storage: t.expose('storage', { type: StorageUsage }),
    tokens: t.expose('tokens', {
      type: TokenUsage,
      description: 'Tokens used by the models in the period. They are not limited by any plan.',
    }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: Usage,
    description: 'Usage and limits of an organization in the current period.',
    args: {
      organizationId: t.arg.id({ required: true }),
      projectId: t.arg.id({
        description:
          'Checks that this project belongs to the organization. Usage is always of the whole organization.',
      }),
    },
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getUsage(context, args),
  }),
);

export const UsageDay = builder.objectRef<Day>('UsageDay').implement({
  description:
    'Usage of an organization on one day (UTC). The days of a month add up to the usage of the month.',
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Start of the day (UTC).' }),
    messages: t.exposeInt('messages', {
      description:
        'Messages answered by the assistant, by the day of the question. Failed answers are not counted.',
    }),
    evaluatedQuestions: t.exposeInt('evaluatedQuestions', {
      description: 'Questions of evaluation runs, as in `usage`.',
    }),
    judgedQuestions: t.exposeInt('judgedQuestions', {
      description: 'Answers of evaluation runs that the language model judged, as in `usage`.',
    }),
    tokens: t.expose('tokens', { type: TokenUsage }),
    storedBytes: t.exposeFloat('storedBytes', {
      description:
        'Size of all documents in bytes, at the end of the day; for today, the current size.',
    }),
  }),
});

builder.queryField('usageByDay', (t) =>
  t.field({
    type: [UsageDay],
    description:
      'Daily usage of an organization, oldest first, including days without usage. At most 366 days.',
    args: organizationDayRangeArgs,
    validate: dayRangeSchema,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => listUsageDays(context, args),
  }),
);
