import { CronExpressionParser } from 'cron-parser';
import { DomainError } from '../../platform/errors.ts';

/** Configuration of a source as callers send it. Contains the fields of all kinds of sources. */
export interface SourceConfigInput {
  readonly startUrls?: readonly string[] | null;
  readonly sitemaps?: readonly string[] | null;
  readonly include?: readonly string[] | null;
  readonly exclude?: readonly string[] | null;
  readonly maxPages?: number | null;
  readonly maxDepth?: number | null;
  readonly respectRobots?: boolean | null;
  readonly requestsPerSecond?: number | null;
  readonly url?: string | null;
  readonly branch?: string | null;
  readonly path?: string | null;
  readonly username?: string | null;
  readonly token?: string | null;
  readonly endpoint?: string | null;
  readonly region?: string | null;
  readonly bucket?: string | null;
  readonly prefix?: string | null;
  readonly pathStyle?: boolean | null;
  readonly accessKeyId?: string | null;
  readonly secretAccessKey?: string | null;
  readonly maxFiles?: number | null;
  readonly roots?: readonly string[] | null;
}

/** Configuration as it is returned. Contains only the fields of the source's kind, without the secret. */
export type StoredSourceConfig = {
  readonly [K in Exclude<keyof SourceConfigInput, 'token' | 'secretAccessKey'>]?: Exclude<
    SourceConfigInput[K],
    null | undefined
  >;
} & { readonly hasSecret?: boolean };

const maxUrlLength = 2_048;
const maxPatternLength = 500;
const maxScheduleLength = 100;

/**
 * Returns the next time at which the schedule is due after `now`, or null without a schedule.
 * @throws DomainError VALIDATION_FAILED when the schedule is not a cron expression with five fields.
 */
export function nextRunAt(schedule: string | null, now = new Date()): Date | null {
  if (schedule === null) return null;
  const isPlain = schedule.length <= maxScheduleLength && schedule.trim().split(/\s+/).length === 5;
  try {
    if (isPlain) {
      return CronExpressionParser.parse(schedule, { currentDate: now, tz: 'UTC' }).next().toDate();
    }
  } catch {
    // An invalid schedule is refused below.
  }
  throw new DomainError('VALIDATION_FAILED', [
    'schedule must be a cron expression with five fields, such as "0 3 * * *", in UTC',
  ]);
}

/**
 * Throws an error with the given problems, if there are any.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function requireNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
}

export function urlProblems(
  field: string,
  urls: readonly string[],
  minItems: number,
  maxItems: number,
): string[] {
  if (urls.length < minItems) return [`${field} must have at least ${minItems} entry`];
  if (urls.length > maxItems) return [`${field} must have at most ${maxItems} entries`];
  if (urls.every(isWebAddress)) return [];
  return [`${field} entries must be addresses that start with http:// or https://`];
}

/** Returns whether the text is a web address that starts with http:// or https:// and contains no credentials. */
export function isWebAddress(url: string): boolean {
  return url.length <= maxUrlLength && /^https?:\/\/[^\s@]+$/i.test(url) && URL.canParse(url);
}

/** Returns the scheme, host and port of an address. Returns '' if the text is not an address. */
export function originOf(url: string | undefined): string {
  return URL.parse(url ?? '')?.origin ?? '';
}

export function patternProblems(field: string, patterns: readonly string[]): string[] {
  if (patterns.length > 100) return [`${field} must have at most 100 entries`];
  const isValid = (pattern: string) =>
    /^(?:\/|\*|https?:)/i.test(pattern) && pattern.length <= maxPatternLength;
  if (patterns.every(isValid)) return [];
  return [`${field} entries must be paths such as /docs/* or addresses, at most 500 characters`];
}

export function integerProblems(field: string, value: number, min: number, max: number): string[] {
  if (Number.isInteger(value) && value >= min && value <= max) return [];
  return [`${field} must be an integer between ${min} and ${max}`];
}

/** Returns the problems of a text. The text may be empty, but must not contain control characters. */
export function textProblems(field: string, value: string, maxLength: number): string[] {
  if (value.length <= maxLength && !/\p{Cc}/u.test(value) && value.isWellFormed()) return [];
  return [`${field} must have at most ${maxLength} characters and no control characters`];
}
