import {
  maxQuestionLimit,
  type QuestionKind,
  questionsPerMessage,
} from '../organizations/question-limit.ts';

/** Returns SQL for the first day of the calendar month (UTC) that contains `moment`. */
export const monthSql = (moment: string) =>
  `date_trunc('month', ${moment} at time zone 'UTC')::date`;

/** Returns SQL for the day (UTC) that contains `moment`. */
export const daySql = (moment: string) => `(${moment} at time zone 'UTC')::date`;

/**
 * The current time, rounded to milliseconds as in the timestamp columns. Without rounding, a timestamp in the last half
 * millisecond of a day would count on a different day from the day in its column.
 */
const nowSql = 'now()::timestamptz(3)';

export const currentMonthSql = monthSql(nowSql);
export const todaySql = daySql(nowSql);

/**
 * Returns SQL that adds the counts of `counted` to the counters of the day. `counted` is an earlier step of the same
 * statement with the columns `organization_id`, `day` and those in `amounts`. That step must also update the month's
 * row. So all statements lock the month's row before the day's row.
 */
export const incrementDaySql = (counted: string, amounts: readonly string[]) => `
    insert into grounded.usage_days as day (organization_id, day, ${amounts.join(', ')})
    select organization_id, day, ${amounts.join(', ')} from ${counted}
    on conflict (organization_id, day) do update set
      ${amounts.map((amount) => `${amount} = day.${amount} + excluded.${amount}`).join(', ')}`;

/**
 * Returns SQL that adds tokens to the counters of their models. The step `counted` must have the columns
 * `organization_id`, `project_id`, `day` and `model_tokens` (see `tokensJson`). It must also update the month's row, as
 * for `incrementDaySql`.
 */
export const incrementTokenDaysSql = (counted: string) => `
    insert into grounded.token_days as day (organization_id, project_id, day, model, kind, tokens)
    select counted.organization_id, counted.project_id, counted.day, token.model, token.kind, sum(token.tokens)
    from ${counted} counted, jsonb_to_recordset(counted.model_tokens) as token (
      model text, kind grounded.token_kind, tokens bigint)
    group by 1, 2, 3, 4, 5
    on conflict (project_id, day, model, kind) do update set tokens = day.tokens + excluded.tokens`;

/**
 * Returns SQL that counts completed answers, without small talk, by latency. The latency buckets grow by ten percent.
 * The step `counted` must have the columns `organization_id`, `day`, `status`, `intent`, `latency_ms` and `is_unsure`.
 * It must also update the month's row, as for `incrementDaySql`.
 */
export const incrementAnswerDaysSql = (counted: string) => `
    insert into grounded.answer_days as day (organization_id, day, latency_step, answers, unsure)
    select organization_id, day, ${latencyStepSql('latency_ms')},
      count(*), count(*) filter (where is_unsure)
    from ${counted} where status = 'COMPLETED' and intent is null
    group by 1, 2, 3
    on conflict (organization_id, day, latency_step) do update set
      answers = day.answers + excluded.answers, unsure = day.unsure + excluded.unsure`;

/** Bucket n contains latencies of about 1.1^n milliseconds, with an accuracy of 5 %. */
export const latencyBucketBase = 1.1;

/** Returns SQL for the bucket number of a latency in milliseconds. */
export const latencyStepSql = (latencyMs: string) =>
  `round(ln(greatest(${latencyMs}, 1)) / ln(${latencyBucketBase}))::smallint`;

/**
 * Returns SQL that stores the used bytes as today's storage. `changed` must have the columns `organization_id` and
 * `used_bytes`.
 */
export const recordStorageDaySql = (changed: string) => `
    insert into grounded.storage_days (organization_id, day, used_bytes)
    select organization_id, ${todaySql}, used_bytes from ${changed}
    on conflict (organization_id, day) do update set used_bytes = excluded.used_bytes`;

/**
 * Returns SQL for a limit, from the rows `organization` and `plan`: that of the organization or, if it has none, that of
 * its plan. Null if unlimited.
 */
export const effectiveLimitSql = (limit: 'monthly_messages' | 'storage_bytes') =>
  `coalesce(organization.${limit}, plan.${limit})`;

/**
 * Returns SQL for a monthly limit of evaluation, as `effectiveLimitSql`. If neither the organization nor its plan has
 * one, it is that of `questionsPerMessage`.
 */
export const effectiveQuestionLimitSql = (kind: QuestionKind) => {
  const limit = `monthly_${kind}_questions`;
  const messages = effectiveLimitSql('monthly_messages');
  return `coalesce(organization.${limit}, plan.${limit}, case when ${messages} is not null
    then least(${questionsPerMessage} * ${messages}::bigint, ${maxQuestionLimit})::integer end)`;
};

/**
 * Returns a subquery for a limit of the organization. If unlimited, the result is the largest bigint.
 */
const limitSql = (effectiveSql: string, organizationId: string) => `(
      select coalesce(${effectiveSql}, 9223372036854775807)
      from grounded.organizations organization join grounded.plans plan on plan.name = organization.plan
      where organization.id = ${organizationId})`;

export const monthlyMessageLimitSql = (organizationId: string) =>
  limitSql(effectiveLimitSql('monthly_messages'), organizationId);

export const monthlyQuestionLimitSql = (kind: QuestionKind, organizationId: string) =>
  limitSql(effectiveQuestionLimitSql(kind), organizationId);

export const storageLimitSql = (organizationId: string) =>
  limitSql(effectiveLimitSql('storage_bytes'), organizationId);
