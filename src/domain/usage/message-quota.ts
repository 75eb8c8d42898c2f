import { DomainError } from '../../platform/errors.ts';
import { daySql, monthlyMessageLimitSql, monthSql } from './usage-sql.ts';

/**
 * Returns SQL that consumes `countSql` messages, by default one, of the organization's monthly allowance. The SQL
 * returns a row only if enough messages are left. The update locks the row of the month, so this holds for concurrent
 * requests.
 *
 * `from` is a table or step with at most one row, from which `timestampSql` reads the time. If `from` has no row,
 * nothing is consumed.
 */
export function consumeMessageSql({
  organizationSql,
  from,
  timestampSql,
  countSql = '1',
}: {
  readonly organizationSql: string;
  readonly from: string;
  readonly timestampSql: string;
  readonly countSql?: string;
}): string {
  return `
    insert into grounded.usage_periods as period (organization_id, starts_on, messages)
    select ${organizationSql}, ${monthSql(timestampSql)}, ${countSql}
    from ${from}
    where ${monthlyMessageLimitSql(organizationSql)} >= ${countSql}
    on conflict (organization_id, starts_on) do update set messages = period.messages + ${countSql}
      where period.messages + ${countSql} <= ${monthlyMessageLimitSql(organizationSql)}
    returning organization_id, ${countSql} as messages, true as is_consumed`;
}

/** Rows for `incrementDaySql`: the messages of the step `allowance`, on the day of the time in the step `clock`. */
export const consumedOnDay = `(
    select organization_id, ${daySql('written_at')} as day, messages from allowance, clock) as consumed`;

/**
 * Returns the SQL assignment that refunds `countSql` messages to a row of `usage_periods`. The row must have the alias
 * `period`.
 */
export function refundMessagesSql(countSql: string): string {
  return `messages = greatest(0, period.messages - ${countSql})`;
}

export function messageQuotaExceeded(): DomainError {
  return new DomainError('QUOTA_EXCEEDED', "The plan's monthly message allowance is used up");
}
