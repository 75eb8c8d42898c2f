import { z } from 'zod';
import {
  type BusinessHours as Hours,
  isTimeZone,
  type OpeningHours as Span,
} from '../../domain/organizations/business-hours.ts';
import { builder } from '../builder.ts';
import { fieldsSchema } from '../input-rules.ts';

const Weekday = builder.enumType('Weekday', {
  description: 'Day of the week in the time zone of the business hours.',
  values: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
});

const OpeningHours = builder.objectRef<Span>('OpeningHours').implement({
  description: 'Opening hours on one weekday, in local time.',
  fields: (t) => ({
    day: t.expose('day', { type: Weekday }),
    from: t.exposeString('from', { description: 'Opening time, `HH:MM`.' }),
    to: t.exposeString('to', {
      description: 'Closing time, `HH:MM`, exclusive. `24:00` means the end of the day.',
    }),
  }),
});

export const BusinessHours = builder.objectRef<Hours>('BusinessHours').implement({
  description: 'Weekly hours during which the team is available.',
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone, such as `Europe/Berlin`.',
    }),
    weekly: t.field({
      type: [OpeningHours],
      description: 'Opening hours. The team is not available at any other time.',
      resolve: ({ weekly }) => [...weekly],
    }),
  }),
});

const OpeningHoursInput = builder.inputType('OpeningHoursInput', {
  description: 'Opening hours on one weekday, in local time.',
  fields: (t) => ({
    day: t.field({ type: Weekday, required: true }),
    from: t.string({ required: true, description: 'Opening time, `HH:MM`, 00:00 to 23:59.' }),
    to: t.string({
      required: true,
      description:
        'Closing time, `HH:MM`, later than `from`, at most 24:00, exclusive. Split hours across midnight into two entries.',
    }),
  }),
});

export const BusinessHoursInput = builder.inputType('BusinessHoursInput', {
  description: 'Weekly hours during which the team is available.',
  fields: (t) => ({
    timeZone: t.string({ required: true, description: 'IANA time zone, such as `Europe/Berlin`.' }),
    weekly: t.field({
      type: [OpeningHoursInput],
      required: true,
      description:
        'At most 50 entries, several per day allowed. With an empty list the team is never available.',
    }),
  }),
});

const openingHoursSchema = z
  .looseObject({
    from: timeOfDay(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    to: timeOfDay(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:01 to 24:00'),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    error:
      'must be later than from: split hours across midnight into two spans, the first of which ends at 24:00',
  });

/** Validation rules of a `BusinessHoursInput`. */
export const businessHoursSchema = fieldsSchema({
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin'),
  weekly: z.array(openingHoursSchema).max(50, 'must be at most 50 spans'),
});

/** Accepts a time of day. If a time is malformed, `abort` skips the later check that `from` is before `to`. */
function timeOfDay(pattern: RegExp, error: string): z.ZodType<string> {
  return z.string().regex(pattern, { error, abort: true });
}
