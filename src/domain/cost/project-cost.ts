import type { TokenKind } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { amountSql, type Cost, currencySql } from './cost.ts';

/** What a project cost in a range of days. */
export interface ProjectCost {
  readonly total: Cost;
  /** The days with tokens, oldest first. */
  readonly days: readonly (Cost & { readonly day: Date })[];
  /** The 50 dearest models, dearest first. Those without a price are last, those with the most tokens first. */
  readonly models: readonly ModelCost[];
}

export interface ModelCost {
  readonly model: string;
  readonly kind: TokenKind;
  readonly tokens: number;
  /** Null if the model has no price on any of its days. */
  readonly cost: Cost | null;
}

/**
 * Returns the cost of a project from day `first` to day `last` (`YYYY-MM-DD`, UTC). Null without prices. Includes
 * searches, documents, drafts and evaluation runs, not only answers. The caller must already have access to the usage of
 * the project.
 */
export async function findProjectCost(
  context: Context,
  range: { readonly project: Project; readonly first: string; readonly last: string },
): Promise<ProjectCost | null> {
  const { id, organizationId } = range.project;
  await context.tokenCounter.flush();
  const rows = await runSql<PricedRow>(context.db, pricedRows, [
    ...[id, organizationId, range.first, range.last],
  ]);
  const currency = rows[0]?.currency;
  if (currency === undefined) return null;
  const toCost = ({ amount }: PricedRow): Cost => ({ amount: amount ?? '0.000000', currency });
  const [total] = rows.filter(({ day, model }) => day === null && model === null);
  return {
    total: total === undefined ? { amount: '0.000000', currency } : toCost(total),
    days: rows.flatMap((row) => {
      return row.day === null ? [] : [{ ...toCost(row), day: new Date(`${row.day}T00:00:00Z`) }];
    }),
    models: rows
      .flatMap((row) => {
        const { model, kind, tokens } = row;
        if (model === null || kind === null) return [];
        return [{ model, kind, tokens, cost: row.amount === null ? null : toCost(row) }];
      })
      .slice(0, maxModels),
  };
}

const maxModels = 50;

/** A sum of all days and models, of one day, or of one model and kind. */
interface PricedRow {
  readonly currency: string;
  readonly day: string | null;
  readonly model: string | null;
  readonly kind: TokenKind | null;
  readonly tokens: number;
  /** Null without a price. */
  readonly amount: string | null;
}

/** Parameters: $1 project, $2 its organization, $3 and $4 first and last day. */
const pricedRows = `
  with used as (
    select token.day, token.model, token.kind, token.tokens,
      token.tokens * grounded.price_on($2::uuid, token.model, token.kind, token.day) * 0.000001 as amount
    from grounded.token_days token
    where token.project_id = $1::uuid and token.organization_id = $2::uuid and token.day between $3::date and $4::date
  ), sums as (
    select day, model, kind, sum(tokens)::float8 as tokens, sum(amount) as amount
    from used group by grouping sets ((), (day), (model, kind))
  )
  select price.currency, to_char(sums.day, 'YYYY-MM-DD') as day, sums.model, sums.kind::text as kind,
    coalesce(sums.tokens, 0) as tokens, case when sums.amount is not null then ${amountSql('sums.amount')} end as amount
  from ${currencySql('$2::uuid')} price cross join sums
  order by sums.day, sums.amount desc nulls last, sums.tokens desc nulls last`;
