import { z } from 'zod';
import {
  deleteModelPrice,
  listModelPrices,
  type ModelPrice as Shape,
  setModelPrices,
} from '../../domain/cost/model-prices.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, number, optionalDateTime, printableName } from '../input-rules.ts';
import { TokenKind } from './cost.ts';

const ModelPrice = builder.objectRef<Shape>('ModelPrice').implement({
  description:
    'What an organization pays for tokens of a model, from a day until the day of the next price.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Name of the model.' }),
    kind: t.expose('kind', { type: TokenKind }),
    perMillion: t.exposeFloat('perMillion', { description: 'Price of a million tokens.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      description: 'Start of the first day (UTC).',
    }),
  }),
});

const organizationId = 'Default: the organization of the API key, or the only one of the operator.';

const priceSchema = {
  model: printableName(200),
  perMillion: number(0, 1e6),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as EUR'),
  validFrom: optionalDateTime,
};

const ModelPriceFields = builder.inputType('ModelPriceInput', {
  description: 'A price. It replaces an earlier price of the same model, kind and day.',
  fields: (t) => ({
    model: t.string({
      required: true,
      description: 'Name of the model, as in `ModelCost`. 1 to 200 characters.',
    }),
    kind: t.field({ type: TokenKind, required: true }),
    perMillion: t.float({
      required: true,
      description: 'Price of a million tokens, 0 to 1,000,000. Rounded to 6 decimals.',
    }),
    currency: t.string({
      required: true,
      description: 'ISO 4217 code. All prices of an organization have the same one.',
    }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Any time on the first day (UTC), also in the past. Default: today.',
    }),
  }),
});

const SetModelPriceInput = builder.inputType('SetModelPriceInput', {
  description: 'A price. It replaces an earlier price of the same model, kind and day.',
  validate: fieldsSchema(priceSchema),
  fields: (t) => ({
    organizationId: t.id({ description: organizationId }),
    model: t.string({ required: true, description: 'Name of the model, as in `ModelCost`.' }),
    kind: t.field({ type: TokenKind, required: true }),
    perMillion: t.float({ required: true, description: 'Price of a million tokens.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, such as EUR.' }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Any time on the first day (UTC), also in the past. Default: today.',
    }),
  }),
});

const maxImported = 500;

const ImportModelPricesInput = builder.inputType('ImportModelPricesInput', {
  validate: fieldsSchema({
    prices: z
      .array(fieldsSchema(priceSchema))
      .min(1, 'must not be empty')
      .max(maxImported, `must have at most ${maxImported} entries`),
  }),
  fields: (t) => ({
    organizationId: t.id({ description: organizationId }),
    prices: t.field({
      type: [ModelPriceFields],
      required: true,
      description: `1 to ${maxImported} prices.`,
    }),
  }),
});

const DeleteModelPriceInput = builder.inputType('DeleteModelPriceInput', {
  fields: (t) => ({
    organizationId: t.id({ description: organizationId }),
    model: t.string({ required: true, description: 'Name of the model, as in `ModelPrice`.' }),
    kind: t.field({ type: TokenKind, required: true }),
    validFrom: t.field({
      type: 'DateTime',
      required: true,
      description: 'Any time on the first day of the price (UTC).',
    }),
  }),
});

builder.queryField('modelPrices', (t) =>
  t.field({
    type: [ModelPrice],
    description: 'The prices of an organization, at most 1,000, by model and kind, latest first.',
    args: { organizationId: t.arg.id({ description: organizationId }) },
    authScopes: { permission: 'usage:read' },
    resolve: async (_root, args, context) => [...(await listModelPrices(context, args))],
  }),
);

builder.mutationFields((t) => ({
  setModelPrice: t.field({
    type: [ModelPrice],
    description:
      'Sets a price, and returns all prices. Also applies to tokens that were used on earlier days from `validFrom`. For owners and admins.',
    args: { input: t.arg({ type: SetModelPriceInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: async (_root, { input: { organizationId, ...price } }, context) => [
      ...(await setModelPrices(context, { organizationId, prices: [price] })),
    ],
  }),
  importModelPrices: t.field({
    type: [ModelPrice],
    description: 'Sets several prices, all or none, and returns all prices. For owners and admins.',
    args: { input: t.arg({ type: ImportModelPricesInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: async (_root, { input }, context) => [...(await setModelPrices(context, input))],
  }),
  deleteModelPrice: t.field({
    type: [ModelPrice],
    description:
      'Deletes a price, if there is one, and returns the others. The price before it then applies again. For owners and admins.',
    args: { input: t.arg({ type: DeleteModelPriceInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: async (_root, { input }, context) => [...(await deleteModelPrice(context, input))],
  }),
}));
