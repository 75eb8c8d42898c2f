import { z } from 'zod';
import {
  type BusinessHours as Hours,
  isTimeZone,
  type OpeningHours as Span,
} from '../domain/handoff/business-hours.ts';
import { builder } from './builder.ts';
import { rules } from './text-rules.ts';

const Weekday = builder.enumType('Weekday', {
  description: 'A day of the week.',
  values: {
    MONDAY: { description: 'Monday.' },
    TUESDAY: { description: 'Tuesday.' },
    WEDNESDAY: { description: 'Wednesday.' },
    THURSDAY: { description: 'Thursday.' },
    FRIDAY: { description: 'Friday.' },
    SATURDAY: { description: 'Saturday.' },
    SUNDAY: { description: 'Sunday.' },
  },
});

const OpeningHours = builder.objectRef<Span>('OpeningHours').implement({
  description: 'A span of time on a day of every week, by the local clock.',
  fields: (t) => ({
    day: t.expose('day', { type: Weekday, description: 'Of every week.' }),
    from: t.exposeString('from', { description: '`HH:MM`, within the span.' }),
    to: t.exposeString('to', { description: '`HH:MM`, no longer within; `24:00` for midnight.' }),
  }),
});

export const BusinessHours = builder.objectRef<Hours>('BusinessHours').implement({
  description: 'When the team of a project is there.',
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', {
      description: 'Its name in the IANA database, such as `Europe/Berlin`.',
    }),
    weekly: t.field({
      type: [OpeningHours],
      description: 'On a day without hours nobody is there.',
      resolve: ({ weekly }) => [...weekly],
    }),
  }),
});

const OpeningHoursInput = builder.inputType('OpeningHoursInput', {
  description: 'A span of time on a day of every week, by the local clock.',
  fields: (t) => ({
    day: t.field({ type: Weekday, required: true, description: 'Of every week.' }),
    from: t.string({ required: true, description: '`HH:MM`, 00:00 to 23:59.' }),
    to: t.string({
      required: true,
      description:
        '`HH:MM`, later than `from`, up to 24:00. Hours across midnight are given as two.',
    }),
  }),
});

export const BusinessHoursInput = builder.inputType('BusinessHoursInput', {
  description: 'When the team of a project is there.',
  fields: (t) => ({
    timeZone: t.string({ required: true, description: 'Such as `Europe/Berlin`.' }),
    weekly: t.field({
      type: [OpeningHoursInput],
      required: true,
      description: 'At most 50, several on a day if wanted. None at all: nobody is ever there.',
    }),
  }),
});

const spanRules = z
  .looseObject({
    from: time(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    to: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:01 to 24:00'),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    error: 'must be later than from: hours across midnight are two, of which one ends at 24:00',
  });

/** Of a `BusinessHoursInput`, for the rules of the input it belongs to. */
export const businessHoursRules = rules({
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin'),
  weekly: z.array(spanRules).max(50, 'must be at most 50 spans'),
});

/** Ends the checks of a span where it fails. */
function time(pattern: RegExp, error: string): z.ZodType<string> {
  return z.string().regex(pattern, { error, abort: true });
}
