import { DomainError } from '../../platform/errors.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { QuestionKind } from '../organizations/question-limit.ts';
import {
  currentMonthSql,
  incrementDaySql,
  monthlyQuestionLimitSql,
  todaySql,
} from './usage-sql.ts';

/** The monthly allowance of an organization for one kind of question. */
interface QuestionAllowance {
  readonly organizationId: string;
  readonly kind: QuestionKind;
}

/**
 * Consumes one question of the allowance, and then runs `work`. Gives the question back if `work` throws or `hasFailed`
 * returns true. Returns null, without running `work`, if no question is left. If the process dies, the question counts.
 */
export async function withConsumedQuestion<Result extends object>(
  { pool }: Pick<Context, 'pool'>,
  { organizationId, kind }: QuestionAllowance,
  work: () => Promise<Result>,
  hasFailed: (result: Result) => boolean = () => false,
): Promise<Result | null> {
  const { consume, refund } = statements[kind];
  const [consumed] = await runSql<{ day: string }>(pool, consume, [organizationId]);
  if (consumed === undefined) return null;
  const giveBack = () => runSql(pool, refund, [organizationId, consumed.day]);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await giveBack();
    throw error;
  }
  if (hasFailed(result)) await giveBack();
  return result;
}

/** Returns whether a question of the allowance is left. */
export async function hasQuestionLeft(
  client: SqlClient,
  { organizationId, kind }: QuestionAllowance,
): Promise<boolean> {
  const [row] = await runSql<{ isLeft: boolean }>(client, statements[kind].check, [organizationId]);
  return row?.isLeft ?? false;
}

export function questionQuotaExceeded(kind: QuestionKind): DomainError {
  return new DomainError(
    'QUOTA_EXCEEDED',
    `The plan's monthly allowance of ${kind} questions is used up: wait for the next month, or raise the limit`,
  );
}

const statements = { evaluated: statementsOf('evaluated'), judged: statementsOf('judged') };

/**
 * The update of `consume` locks the row of the month, so that concurrent runs never exceed the limit. `refund` has the
 * day on which the question was consumed as its second parameter.
 */
function statementsOf(kind: QuestionKind) {
  const counter = `${kind}_questions`;
  const limit = monthlyQuestionLimitSql(kind, '$1::uuid');
  const consume = `
    with consumed as (
      insert into grounded.usage_periods as period (organization_id, starts_on, ${counter})
      select $1::uuid, ${currentMonthSql}, 1 where ${limit} >= 1
      on conflict (organization_id, starts_on) do update set ${counter} = period.${counter} + 1
        where period.${counter} < ${limit}
      returning organization_id, ${todaySql} as day, 1 as ${counter}
    ), counted as (${incrementDaySql('consumed', [counter])}
    )
    select to_char(day, 'YYYY-MM-DD') as day from consumed`;
  const refund = `
    with refunded as (
      update grounded.usage_periods period set ${counter} = greatest(0, period.${counter} - 1)
      where organization_id = $1::uuid and starts_on = date_trunc('month', $2::date)::date
      returning organization_id, $2::date as day, -1 as ${counter}
    )${incrementDaySql('refunded', [counter])}`;
  const check = `
    select ${limit} > coalesce((
      select ${counter} from grounded.usage_periods
      where organization_id = $1::uuid and starts_on = ${currentMonthSql}), 0) as "isLeft"`;
  return {
    consume: { name: `consume-${kind}-question`, text: consume },
    refund: { name: `refund-${kind}-question`, text: refund },
    check,
  };
}
