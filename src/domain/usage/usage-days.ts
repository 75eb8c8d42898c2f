import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { transactionSql } from '../run-sql.ts';
import { type DayRange, daysOf } from './days.ts';
import type { Usage } from './usage.ts';

/** What an organization has used on one day, UTC. */
export interface UsageDay {
  /** The first moment of the day. */
  readonly day: Date;
  /** Answered by the assistant; one whose answer fails is given back to the day it was asked on. */
  readonly messages: number;
  readonly tokens: Usage['tokens'];
  /** Bytes of all documents as the day ended, or of now. */
  readonly storedBytes: number;
}

/**
 * Each day from that of `from` to that of `to`, oldest first, those without use included: the last 30 days where
 * neither is given. The days of a month add up to the month of `getUsage`. Throws as `requireOrganization` does, and
 * `VALIDATION_FAILED` for more than 366 days.
 */
export async function listUsageDays(
  context: Context,
  input: DayRange & { readonly organizationId: string },
): Promise<UsageDay[]> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const { first, last } = daysOf(input);
  const rows = await transactionSql(context.db).query(findDays, [id, first, last]);
  return rows.map(usageDayOf);
}

/** Storage is as it was left on the last day that changed it. */
const findDays = `
  select to_char(calendar.day, 'YYYY-MM-DD') as day,
    coalesce(usage.messages, 0) as messages,
    coalesce(usage.input_tokens, 0)::float8 as input_tokens,
    coalesce(usage.output_tokens, 0)::float8 as output_tokens,
    coalesce(usage.embedding_tokens, 0)::float8 as embedding_tokens,
    coalesce(stored.used_bytes, 0)::float8 as stored_bytes
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

function usageDayOf(row: Record<string, unknown>): UsageDay {
  const input = Number(row.input_tokens);
  const output = Number(row.output_tokens);
  const embedding = Number(row.embedding_tokens);
  return {
    day: new Date(`${row.day}T00:00:00.000Z`),
    messages: Number(row.messages),
    tokens: { input, output, embedding, total: input + output + embedding },
    storedBytes: Number(row.stored_bytes),
  };
}
