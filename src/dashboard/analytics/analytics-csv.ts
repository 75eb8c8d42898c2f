import type { AnalyticsDay, ProjectCost } from './analytics-operations.ts';
import { costsByDay } from './costs-by-day.ts';

/** Columns of the file. Their names are those of the API. */
const columns = [
  'conversations',
  'deflected',
  'handedOver',
  'answers',
  'unsure',
  'confidence',
  'helpful',
  'unhelpful',
  'handoffs',
  'replied',
  'replyP50Seconds',
  'replyP95Seconds',
  'repliesDue',
  'repliesInTime',
  'resolved',
  'resolutionP50Seconds',
  'resolutionP95Seconds',
  'resolutionsDue',
  'resolutionsInTime',
  'inputTokens',
  'outputTokens',
  'embeddingTokens',
] as const satisfies (keyof AnalyticsDay)[];

/**
 * Returns a header and one line per day (RFC 4180). A value that was not measured is empty. With prices, the last columns
 * are the cost and its currency.
 */
export function buildAnalyticsCsv(days: readonly AnalyticsDay[], cost: ProjectCost): string {
  const amounts = cost === null ? null : costsByDay(days, cost);
  const rows = days.map((day, index) => [
    day.day.slice(0, 10),
    ...columns.map((name) => day[name] ?? ''),
    ...(amounts === null ? [] : [amounts[index], cost?.total.currency]),
  ]);
  const header = ['day', ...columns, ...(cost === null ? [] : ['cost', 'currency'])];
  return [header, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
