import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { currentMonthSql, todaySql } from '../usage/usage-sql.ts';

/**
 * What models cost, by the prices that the organization has entered. Tokens of a model without a price cost nothing.
 */
export interface Cost {
  /** With 6 decimals, such as `12.340000`. */
  readonly amount: string;
  /** ISO 4217 code of the prices, such as `EUR`. */
  readonly currency: string;
}

/** A row of the statements below. There is no row without prices. */
interface CostRow {
  readonly amount: string | null;
  readonly currency: string;
}

/** Returns SQL for an amount as text. Null counts as 0. */
export const amountSql = (amount: string) => `round(coalesce(${amount}, 0), 6)::text`;

/** The currency of an organization's prices, as a table with one row, or none without prices. */
export const currencySql = (organizationId: string) => `(
    select currency from grounded.model_prices where organization_id = ${organizationId} limit 1)`;

/**
 * Returns the cost of an organization in the current month (UTC). Null without prices. The caller must already have
 * access to the usage of the organization.
 */
export async function findMonthCost(
  { db }: Context,
  { organizationId }: { readonly organizationId: string },
): Promise<Cost | null> {
  const rows = await runSql<CostRow>(db, monthCost, [organizationId]);
  return rows.map(toCost)[0] ?? null;
}

const monthCost = `
  select price.currency, ${amountSql(`(
    select sum(amount) from grounded.organization_cost_days($1::uuid, ${currentMonthSql}, ${todaySql}))`)} as amount
  from ${currencySql('$1::uuid')} price`;

/**
 * Returns the cost of an organization on a day (UTC). Null without prices. If several days are requested together, one
 * statement reads all of them. The caller must already have access to the usage of the organization.
 */
export async function findDayCost(
  context: Context,
  { organizationId, day }: { readonly organizationId: string; readonly day: Date },
): Promise<Cost | null> {
  return loadDay(context, organizationId, day.toISOString().slice(0, 10), async (days) => {
    const values = [organizationId, [...days]];
    const rows = await runSql<CostRow & { day: string | null }>(context.db, dayCosts, values);
    const [first] = rows;
    if (first === undefined) return days.map(() => null);
    const costs = new Map(rows.map((row) => [row.day, toCost(row)]));
    return days.map((day) => costs.get(day) ?? toCost({ ...first, amount: null }));
  });
}

const loadDay = createDataLoader<string, Cost | null>();

const dayCosts = `
  select price.currency, to_char(used.day, 'YYYY-MM-DD') as day, ${amountSql('used.amount')} as amount
  from ${currencySql('$1::uuid')} price
    left join (
      select min(day) as first, max(day) as last from unnest($2::text[]::date[]) as asked (day)
    ) range on true
    left join lateral grounded.organization_cost_days($1::uuid, range.first, range.last) used on true`;

/** Converts a row to a cost. */
export function toCost({ amount, currency }: CostRow): Cost {
  return { amount: amount ?? '0.000000', currency };
}
