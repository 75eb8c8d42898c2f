import { findAnswerCost, findConversationCost } from '../../domain/cost/answer-cost.ts';
import { findDayCost, findMonthCost, type Cost as Shape } from '../../domain/cost/cost.ts';
import {
  findProjectCost,
  type ModelCost as OfModel,
  type ProjectCost as OfProject,
} from '../../domain/cost/project-cost.ts';
import { TokenKind as Kinds } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Conversation } from '../conversations/conversation.ts';
import { Message } from '../conversations/message.ts';
import { Analytics } from './analytics.ts';
import { Usage, UsageDay } from './usage.ts';

const Cost = builder.objectRef<Shape>('Cost').implement({
  description:
    "What models cost by the organization's prices, computed when it is read. Tokens of a model without a price cost nothing.",
  fields: (t) => ({
    amount: t.exposeString('amount', { description: 'With 6 decimals, such as `12.340000`.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code, such as `EUR`.' }),
  }),
});

export const TokenKind = builder.enumType('TokenKind', {
  description: 'What a price is for.',
  values: {
    [Kinds.INPUT]: { description: 'Input tokens of a chat model.' },
    [Kinds.OUTPUT]: { description: 'Output tokens of a chat model.' },
    [Kinds.EMBEDDING]: { description: 'Tokens of an embedding model.' },
    [Kinds.RERANK]: {
      description:
        'What a rerank server bills: tokens, or searches for a server that counts those.',
    },
  },
});

const CostDay = builder.objectRef<OfProject['days'][number]>('CostDay').implement({
  description: 'What a project cost on one day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Start of the day (UTC).' }),
    cost: t.field({ type: Cost, resolve: (day) => day }),
  }),
});

const ModelCost = builder.objectRef<OfModel>('ModelCost').implement({
  description: 'Tokens of a model and what they cost.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Name of the model.' }),
    kind: t.expose('kind', { type: TokenKind }),
    tokens: t.exposeFloat('tokens'),
    cost: t.expose('cost', {
      type: Cost,
      nullable: true,
      description: 'Null if the model has no price.',
    }),
  }),
});

const ProjectCost = builder.objectRef<OfProject>('ProjectCost').implement({
  description:
    'What a project cost in a range of days: answers, searches, documents, drafts and evaluation runs.',
  fields: (t) => ({
    total: t.expose('total', { type: Cost }),
    days: t.field({
      type: [CostDay],
      description: 'The days with tokens, oldest first.',
      resolve: ({ days }) => [...days],
    }),
    models: t.field({
      type: [ModelCost],
      description: 'The 50 dearest models, dearest first. Models without a price are last.',
      resolve: ({ models }) => [...models],
    }),
  }),
});

builder.objectField(Analytics, 'cost', (t) =>
  t.field({
    type: ProjectCost,
    nullable: true,
    description: 'What the project cost in the range. Null without prices (`setModelPrice`).',
    resolve: (analytics, _args, context) => findProjectCost(context, analytics),
  }),
);

builder.objectField(Usage, 'cost', (t) =>
  t.field({
    type: Cost,
    nullable: true,
    description: 'What the models cost in this period. Null without prices (`setModelPrice`).',
    resolve: (usage, _args, context) => findMonthCost(context, usage),
  }),
);

builder.objectField(UsageDay, 'cost', (t) =>
  t.field({
    type: Cost,
    nullable: true,
    description: 'What the models cost on the day. Null without prices.',
    resolve: (day, _args, context) => findDayCost(context, day),
  }),
);

builder.objectFields(Message, (t) => ({
  cost: t.field({
    type: Cost,
    nullable: true,
    description:
      'What the answer cost, with its search. Null for other messages and without prices. API keys need `analytics:read`.',
    authScopes: { permission: 'usage:read' },
    resolve: (message, _args, context) => findAnswerCost(context, message),
  }),
}));

builder.objectFields(Conversation, (t) => ({
  cost: t.field({
    type: Cost,
    nullable: true,
    description:
      'What the answers cost together. Null without answers or prices. API keys need `analytics:read`.',
    authScopes: { permission: 'usage:read' },
    resolve: (conversation, _args, context) => findConversationCost(context, conversation),
  }),
}));
