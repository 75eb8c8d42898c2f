/** The first day of the calendar month, UTC, that a moment is in. */
export const monthOf = (moment: string) =>
  `date_trunc('month', ${moment} at time zone 'UTC')::date`;

/** Of a row that is written now: moments are stored in milliseconds, rounded. */
export const currentMonth = monthOf('now()::timestamptz(3)');

/** What `limit` allows the organization, its own or its plan's, as a scalar; beyond any count where there is none. */
const limitOf = (limit: string, organizationId: string) => `(
      select coalesce(organization.${limit}, plan.${limit}, 9223372036854775807)
      from grounded.organizations organization join grounded.plans plan on plan.name = organization.plan
      where organization.id = ${organizationId})`;

export const monthlyMessages = (organizationId: string) =>
  limitOf('monthly_messages', organizationId);

export const storageBytes = (organizationId: string) => limitOf('storage_bytes', organizationId);
