import type { AnalyticsDay, ProjectCost } from './analytics-operations.ts';

/** Returns the amount of each of the days, also of those without tokens, which the service leaves out. */
export function costsByDay(
  days: readonly Pick<AnalyticsDay, 'day'>[],
  cost: NonNullable<ProjectCost>,
): string[] {
  const amounts = new Map(cost.days.map(({ day, cost }) => [day.slice(0, 10), cost.amount]));
  return days.map(({ day }) => amounts.get(day.slice(0, 10)) ?? '0.000000');
}
