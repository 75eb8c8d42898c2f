import { DomainError } from '../../platform/errors.ts';
import { monthlyMessageLimitSql, monthSql } from './usage-sql.ts';

/**
 * Returns SQL that consumes one message of the organization's monthly allowance. It returns a row only if a message was
 * left, also under concurrency: the row of the month is locked by the update.
 *
 * `from` is a source of zero or one rows, from which `timestampSql` selects the time. With zero rows nothing is
 * consumed.
 */
export function consumeMessageSql({
  organizationSql,
  from,
  timestampSql,
}: {
  readonly organizationSql: string;
  readonly from: string;
  readonly timestampSql: string;
}): string {
  return `
    insert into grounded.usage_periods as period (organization_id, starts_on, messages)
    select ${organizationSql}, ${monthSql(timestampSql)}, 1
    from ${from}
    where ${monthlyMessageLimitSql(organizationSql)} > 0
    on conflict (organization_id, starts_on) do update set messages = period.messages + 1
      where period.messages < ${monthlyMessageLimitSql(organizationSql)}
    returning organization_id, 1 as messages, true as is_consumed`;
}

/** Returns SQL that refunds `countSql` messages to a row of `usage_periods` named `period`. */
export function refundMessagesSql(countSql: string): string {
  return `messages = greatest(0, period.messages - ${countSql})`;
}

export function messageQuotaExceeded(): DomainError {
  return new DomainError('QUOTA_EXCEEDED', "The plan's monthly message allowance is used up");
}
