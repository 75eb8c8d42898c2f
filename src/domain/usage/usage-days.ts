import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { type DayRange, resolveDayRange } from './day-range.ts';
import type { Usage } from './usage.ts';

/** Usage of an organization on one day, UTC. */
export interface UsageDay {
  readonly organizationId: string;
  /** Start of the day. */
  readonly day: Date;
  /** Number of messages that the assistant answered. A failed answer is subtracted from the day of its question. */
  readonly messages: number;
  /** Number of questions that evaluation runs asked, and of those whose answers the language model judged. */
  readonly evaluatedQuestions: number;
  readonly judgedQuestions: number;
  readonly tokens: Usage['tokens'];
  /** Size of all documents in bytes at the end of the day. For today, the current size. */
  readonly storedBytes: number;
}

/**
 * Returns one entry per day, oldest first. Includes days without usage. Default range: the last 30 days. The sum of the
 * days of a month equals the monthly usage that `getUsage` returns.
 * @throws DomainError from `requireOrganization` and `resolveDayRange`
 */
export async function listUsageDays(
  context: Context,
  input: DayRange & { readonly organizationId: string },
): Promise<UsageDay[]> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const { first, last } = resolveDayRange(input);
  await context.tokenCounter.flush();
  const rows = await runSql<UsageDayRow>(context.db, findDays, [id, first, last]);
  return rows.map((row) => usageDayOf(id, row));
}

/**
 * `storage_days` contains only days on which the storage changed. For any other day, the latest earlier row applies.
 */
const findDays = `
  select to_char(calendar.day, 'YYYY-MM-DD') as day,
    coalesce(usage.messages, 0) as messages,
    coalesce(usage.evaluated_questions, 0) as "evaluatedQuestions",
    coalesce(usage.judged_questions, 0) as "judgedQuestions",
    coalesce(usage.input_tokens, 0)::float8 as "inputTokens",
    coalesce(usage.output_tokens, 0)::float8 as "outputTokens",
    coalesce(usage.embedding_tokens, 0)::float8 as "embeddingTokens",
    coalesce(stored.used_bytes, 0)::float8 as "storedBytes"
  from (
    select moment::date as day from generate_series($2::date, $3::date, interval '1 day') as moment
  ) calendar
  left join grounded.usage_days usage on usage.organization_id = $1::uuid and usage.day = calendar.day
  left join lateral (
    select used_bytes from grounded.storage_days storage
    where storage.organization_id = $1::uuid and storage.day <= calendar.day
    order by storage.day desc limit 1
  ) stored on true
  order by calendar.day`;

interface UsageDayRow {
  /** For example `2026-11-21`. */
  readonly day: string;
  readonly messages: number;
  readonly evaluatedQuestions: number;
  readonly judgedQuestions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
  readonly storedBytes: number;
}

function usageDayOf(organizationId: string, row: UsageDayRow): UsageDay {
  const { inputTokens: input, outputTokens: output, embeddingTokens: embedding } = row;
  return {
    organizationId,
    day: new Date(`${row.day}T00:00:00.000Z`),
    messages: row.messages,
    evaluatedQuestions: row.evaluatedQuestions,
    judgedQuestions: row.judgedQuestions,
    tokens: { input, output, embedding, total: input + output + embedding },
    storedBytes: row.storedBytes,
  };
}
