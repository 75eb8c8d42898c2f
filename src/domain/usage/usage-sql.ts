/** The first day of the calendar month, UTC, that a moment is in. */
export const monthOf = (moment: string) =>
  `date_trunc('month', ${moment} at time zone 'UTC')::date`;

/** The day, UTC, that a moment is in. */
export const dayOf = (moment: string) => `(${moment} at time zone 'UTC')::date`;

/** As columns store it: rounded to milliseconds, the last moment of a day is in the next. */
const storedNow = 'now()::timestamptz(3)';

export const currentMonth = monthOf(storedNow);
export const today = dayOf(storedNow);

/**
 * Adds what a step of the same statement counted to the day's counters. `counted` has the columns `organization_id`,
 * `day` and those of `amounts`, and has changed the month's row: it locks the organization before the day is touched.
 */
export const countDay = (counted: string, amounts: readonly string[]) => `
    insert into grounded.usage_days as day (organization_id, day, ${amounts.join(', ')})
    select organization_id, day, ${amounts.join(', ')} from ${counted}
    on conflict (organization_id, day) do update set
      ${amounts.map((amount) => `${amount} = day.${amount} + excluded.${amount}`).join(', ')}`;

/**
 * Counts completed answers by how long they took, in steps of ten percent. `counted` has the columns
 * `organization_id`, `day`, `status`, `latency_ms` and `is_unsure`, and has locked the organization as for `countDay`.
 */
export const countAnswers = (counted: string) => `
    insert into grounded.answer_days as day (organization_id, day, latency_step, answers, unsure)
    select organization_id, day, round(ln(greatest(latency_ms, 1)) / ln(${latencyBase}))::smallint, 1, is_unsure::int
    from ${counted} where status = 'COMPLETED'
    on conflict (organization_id, day, latency_step) do update set
      answers = day.answers + excluded.answers, unsure = day.unsure + excluded.unsure`;

/** A step's power of this are its milliseconds, within 5 percent. */
export const latencyBase = 1.1;

/** Notes how many bytes are stored as the day ends, as far as `changed` (`organization_id`, `used_bytes`) knows. */
export const noteStorage = (changed: string) => `
    insert into grounded.storage_days (organization_id, day, used_bytes)
    select organization_id, ${today}, used_bytes from ${changed}
    on conflict (organization_id, day) do update set used_bytes = excluded.used_bytes`;

/** What `limit` allows the organization, its own or its plan's, as a scalar; beyond any count where there is none. */
const limitOf = (limit: string, organizationId: string) => `(
      select coalesce(organization.${limit}, plan.${limit}, 9223372036854775807)
      from grounded.organizations organization join grounded.plans plan on plan.name = organization.plan
      where organization.id = ${organizationId})`;

export const monthlyMessages = (organizationId: string) =>
  limitOf('monthly_messages', organizationId);

export const storageBytes = (organizationId: string) => limitOf('storage_bytes', organizationId);
