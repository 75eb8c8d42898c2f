import { CronExpressionParser } from 'cron-parser';
import { DomainError } from '../../platform/errors.ts';
import type { Source } from '../../platform/postgres/generated/prisma/client.ts';

/** Configuration of a source of the kind `WEBSITE`. Declared as a type alias for Prisma's JSON type. */
export type WebsiteConfig = {
  readonly startUrls: string[];
  readonly sitemaps: string[];
  readonly include: string[];
  readonly exclude: string[];
  readonly maxPages: number;
  readonly maxDepth: number;
  readonly respectRobots: boolean;
  readonly requestsPerSecond: number;
};

export type WebsiteConfigInput = {
  readonly [K in keyof WebsiteConfig]?: Readonly<WebsiteConfig[K]> | null;
};

const maxUrlLength = 2_048;
const maxPatternLength = 500;
const maxScheduleLength = 100;

/**
 * Returns the configuration with defaults for what is absent in `input` and `current`.
 * @throws DomainError VALIDATION_FAILED with a message for each invalid field.
 */
export function requireValidConfig(
  input: WebsiteConfigInput,
  current: Partial<WebsiteConfig> = {},
): WebsiteConfig {
  const config: WebsiteConfig = {
    startUrls: [...(input.startUrls ?? current.startUrls ?? [])],
    sitemaps: [...(input.sitemaps ?? current.sitemaps ?? [])],
    include: [...(input.include ?? current.include ?? [])],
    exclude: [...(input.exclude ?? current.exclude ?? [])],
    maxPages: input.maxPages ?? current.maxPages ?? 1_000,
    maxDepth: input.maxDepth ?? current.maxDepth ?? 10,
    respectRobots: input.respectRobots ?? current.respectRobots ?? true,
    requestsPerSecond: input.requestsPerSecond ?? current.requestsPerSecond ?? 1,
  };
  const { maxPages, maxDepth, requestsPerSecond } = config;
  const problems = [
    ...urlProblems('config.startUrls', config.startUrls, 1, 20),
    ...urlProblems('config.sitemaps', config.sitemaps, 0, 20),
    ...patternProblems('config.include', config.include),
    ...patternProblems('config.exclude', config.exclude),
    ...integerProblems('config.maxPages', maxPages, 1, 10_000),
    ...integerProblems('config.maxDepth', maxDepth, 0, 50),
    ...(requestsPerSecond >= 0.01 && requestsPerSecond <= 100
      ? []
      : ['config.requestsPerSecond must be between 0.01 and 100']),
  ];
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', problems);
  return config;
}

/** Configuration of a row: the service stores valid configurations only. */
export function websiteConfigOf({ config }: Pick<Source, 'config'>): WebsiteConfig {
  return config as WebsiteConfig;
}

/**
 * Returns when the schedule is due next after `now`, or null without a schedule.
 * @throws DomainError VALIDATION_FAILED when it is no cron expression with five fields.
 */
export function nextRunAt(schedule: string | null, now = new Date()): Date | null {
  if (schedule === null) return null;
  const isPlain = schedule.length <= maxScheduleLength && schedule.trim().split(/\s+/).length === 5;
  try {
    if (isPlain) {
      return CronExpressionParser.parse(schedule, { currentDate: now, tz: 'UTC' }).next().toDate();
    }
  } catch {
    // Refused below.
  }
  throw new DomainError('VALIDATION_FAILED', [
    'schedule must be a cron expression with five fields, such as "0 3 * * *", in UTC',
  ]);
}

function urlProblems(
  field: string,
  urls: readonly string[],
  minItems: number,
  maxItems: number,
): string[] {
  if (urls.length < minItems) return [`${field} must have at least ${minItems} entry`];
  if (urls.length > maxItems) return [`${field} must have at most ${maxItems} entries`];
  const isValid = (url: string) =>
    url.length <= maxUrlLength && /^https?:\/\/[^\s@]+$/i.test(url) && URL.canParse(url);
  if (urls.every(isValid)) return [];
  return [`${field} entries must be addresses that start with http:// or https://`];
}

function patternProblems(field: string, patterns: readonly string[]): string[] {
  if (patterns.length > 100) return [`${field} must have at most 100 entries`];
  const isValid = (pattern: string) =>
    /^(?:\/|\*|https?:)/i.test(pattern) && pattern.length <= maxPatternLength;
  if (patterns.every(isValid)) return [];
  return [`${field} entries must be paths such as /docs/* or addresses, at most 500 characters`];
}

function integerProblems(field: string, value: number, min: number, max: number): string[] {
  if (Number.isInteger(value) && value >= min && value <= max) return [];
  return [`${field} must be an integer between ${min} and ${max}`];
}
