import type { Budget as Shape } from '../../domain/organizations/budget.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, number, optionalInteger } from '../input-rules.ts';

const monthlyAmount =
  "Amount of a calendar month (UTC), in the currency of the organization's prices.";
const warnAtPercent =
  'Percentage of the amount at which a warning is sent, 1 to 100. Another one is sent at 100.';

export const Budget = builder.objectRef<Shape>('Budget').implement({
  description:
    'What a project may cost in a month. Warnings are sent by the webhook event `budget.warning` and by e-mail to owners and admins. Nothing stops.',
  fields: (t) => ({
    monthlyAmount: t.exposeFloat('monthlyAmount', { description: monthlyAmount }),
    warnAtPercent: t.exposeInt('warnAtPercent', { description: warnAtPercent }),
  }),
});

/** Columns of the project that contain the budget. */
export const budgetColumns = { budgetMonthlyAmount: true, budgetWarnAtPercent: true } as const;

export const BudgetInput = builder.inputType('BudgetInput', {
  description: 'A budget. A changed budget warns again in the same month.',
  fields: (t) => ({
    monthlyAmount: t.float({
      required: true,
      description: `${monthlyAmount} From 0.01 to 1,000,000,000.`,
    }),
    warnAtPercent: t.int({ description: `${warnAtPercent} Default: 80.` }),
  }),
});

export const budgetSchema = fieldsSchema({
  monthlyAmount: number(0.01, 1e9),
  warnAtPercent: optionalInteger(1, 100),
});
