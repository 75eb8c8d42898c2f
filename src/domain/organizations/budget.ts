import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from './find-project.ts';

/** What a project may cost in a calendar month (UTC), in the currency of the organization's prices. */
export interface Budget {
  readonly monthlyAmount: number;
  /** Percentage of the amount at which a warning is sent, 1 to 100. Another one is sent at 100. */
  readonly warnAtPercent: number;
}

export interface BudgetInput extends Pick<Budget, 'monthlyAmount'> {
  /** Null or absent: 80. */
  readonly warnAtPercent?: number | null;
}

const defaultPercent = 80;

type BudgetColumns = Pick<Project, 'budgetMonthlyAmount' | 'budgetWarnAtPercent'>;

/** Returns the budget of a project, or null if it has none. */
export function storedBudget({
  budgetMonthlyAmount: monthlyAmount,
  budgetWarnAtPercent: warnAtPercent,
}: BudgetColumns): Budget | null {
  return monthlyAmount === null || warnAtPercent === null ? null : { monthlyAmount, warnAtPercent };
}

export function budgetColumnsOf(budget: BudgetInput | null): BudgetColumns {
  return {
    budgetMonthlyAmount: budget?.monthlyAmount ?? null,
    budgetWarnAtPercent: budget === null ? null : (budget.warnAtPercent ?? defaultPercent),
  };
}

/** Forgets the warnings that were sent, so that a new budget warns again. */
export async function forgetWarnings(
  { db }: Pick<Context, 'db'>,
  projectId: string,
): Promise<void> {
  await runSql(db, 'delete from grounded.budget_warnings where project_id = $1::uuid', [projectId]);
}
