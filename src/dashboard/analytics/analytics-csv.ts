import type { AnalyticsDay } from './analytics-operations.ts';

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

/** Returns a header and one line per day (RFC 4180). A value that was not measured is empty. */
export function buildAnalyticsCsv(days: readonly AnalyticsDay[]): string {
  const rows = days.map((day) => [day.day.slice(0, 10), ...columns.map((name) => day[name] ?? '')]);
  return [['day', ...columns], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
