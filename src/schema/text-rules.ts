import { z } from 'zod';
import { isId, isNewId } from '../domain/ids.ts';

/**
 * The rules of an input type or of a field's arguments, all in one: the validation plugin stops at the first
 * of several schemas that fails, and a caller wants to hear of every invalid field.
 */
export function rules(shape: z.ZodRawShape): z.ZodType<object, object> {
  return z.looseObject(shape);
}

/**
 * A text of at most `max` characters, counted in Unicode code points after NFC, that is not blank and holds
 * no NUL. What comes out is in NFC.
 */
export function text(max: number): z.ZodType<string> {
  return anyText(max).refine((value) => value.trim() !== '', 'must not be blank');
}

/** As `text`, but may be blank or left out. */
export function optionalText(max: number): z.ZodType<string | null | undefined> {
  return anyText(max).nullish();
}

/** An e-mail address as RFC 5321 bounds it: 64 characters before the `@`, 63 in a label, 254 in all. */
export const emailText = z
  .string()
  .regex(
    /^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$/,
    last('must be an e-mail address'),
  )
  .max(254, 'must be at most 254 characters');

/** The caller's name for an end user: 1 to 128 printable characters. */
export const endUserIdText = anyText(128)
  .refine((value) => value !== '', 'must not be empty')
  .refine((value) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value), 'must be printable characters')
  .nullish();

/** An id that the caller has made, and may leave out. */
export const newIdText = z.string().refine(isNewId, 'must be a UUIDv7').toLowerCase().nullish();

/** A whole number within bounds, which a caller may leave out. */
export function wholeNumber(min: number, max: number): z.ZodType<number | null | undefined> {
  const message = `must be an integer between ${min} and ${max}`;
  return z.int(message).min(min, message).max(max, message).nullish();
}

/** A moment that the database knows, which a caller may leave out: it has no year 0. */
export const moment = z
  .date()
  .min(new Date('0001-01-01T00:00:00Z'), 'must be in the year 1 or later')
  .nullish();

/** Where a page of a connection begins or ends: as Pothos makes it of an id, `GPC:S:<id>` in base64. */
export const cursor = z
  .string()
  .refine(
    (value) =>
      isId(
        Buffer.from(value, 'base64')
          .toString('utf8')
          .replace(/^GPC:S:/, ''),
      ),
    'must be a cursor of this list',
  )
  .nullish();

function anyText(max: number): z.ZodType<string, string> {
  return z
    .string()
    .transform((value) => value.normalize('NFC'))
    .refine((value) => !value.includes('\0'), last('must not contain NUL characters'))
    .refine((value) => value.isWellFormed(), last('must be well-formed Unicode'))
    .refine((value) => isAtMost(value, max), last(`must be at most ${max} characters`));
}

/** What is told of a field in place of all that would follow: a field gets one message. */
function last(error: string): { error: string; abort: true } {
  return { error, abort: true };
}

/** Counts no further than it must. */
function isAtMost(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > max * 2) return false;
  return [...value].length <= max;
}
