import { builder } from '../builder.ts';
import { fieldsSchema, optionalDateTime } from '../input-rules.ts';

/** Arguments that select an organization and a range of days. */
export const organizationDayRangeArgs = builder.args((t) => ({
  organizationId: t.id({ required: true }),
  from: t.field({
    type: 'DateTime',
    description: 'Any time on the first day, UTC. Default: 29 days before the last day.',
  }),
  to: t.field({ type: 'DateTime', description: 'Any time on the last day, UTC. Default: today.' }),
}));

/** Validation rules of `organizationDayRangeArgs`, except the limit of 366 days, which `resolveDayRange` enforces. */
export const dayRangeSchema = fieldsSchema({ from: optionalDateTime, to: optionalDateTime });
