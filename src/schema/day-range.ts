import { builder } from './builder.ts';
import { moment, rules } from './text-rules.ts';

/** Which days of an organization. */
export const organizationDays = builder.args((t) => ({
  organizationId: t.id({ required: true, description: 'The organization.' }),
  from: t.field({
    type: 'DateTime',
    description: 'A moment of the first day. 29 days before the last when left out.',
  }),
  to: t.field({ type: 'DateTime', description: 'A moment of the last day. Now when left out.' }),
}));

/** Of `organizationDays`. */
export const dayRange = rules({ from: moment, to: moment });
