import type { PageFields } from './pagination.ts';
import { runFields, type SourceRunRecord } from './source-run-record.ts';

/** What a source reads, and how. */
export interface SourceConfigRecord {
  /**
   * Addresses to start from. Only pages of their hosts are read.
   * @example ["https://example.com/docs/"]
   */
  readonly startUrls: string[];
  /**
   * Addresses of sitemaps, in addition to those in robots.txt.
   * @example []
   */
  readonly sitemaps: string[];
  /**
   * Patterns of pages to read. Empty: all.
   * @example ["/docs/*"]
   */
  readonly include: string[];
  /**
   * Patterns of pages to leave out.
   * @example []
   */
  readonly exclude: string[];
  /**
   * Maximum number of pages per run.
   * @isInt
   * @minimum 1
   * @example 1000
   */
  readonly maxPages: number;
  /**
   * Maximum number of links from a start address.
   * @isInt
   * @minimum 0
   * @example 10
   */
  readonly maxDepth: number;
  /**
   * Whether robots.txt is respected.
   * @example true
   */
  readonly respectRobots: boolean;
  /**
   * Maximum rate of requests to a host.
   * @minimum 0.01
   * @maximum 100
   * @example 1
   */
  readonly requestsPerSecond: number;
}

export interface SourceRecord {
  /**
   * Id of the source.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly id: string;
  /**
   * Id of the project whose documents it keeps up to date.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * What the source reads.
   * @example "WEBSITE"
   */
  readonly kind: 'WEBSITE';
  /**
   * Name of the source in lists.
   * @maxLength 255
   * @example "Help center"
   */
  readonly name: string;
  readonly config: SourceConfigRecord;
  /**
   * Cron expression in UTC. Null: the source is read on request only.
   * @maxLength 100
   * @example "0 3 * * *"
   */
  readonly schedule: string | null;
  /**
   * `RUNNING` while it is read, `FAILED` if the last run was incomplete.
   * @example "IDLE"
   */
  readonly status: 'IDLE' | 'RUNNING' | 'FAILED' | 'PAUSED';
  /** The latest run, which may be in progress. Null before the first run. */
  readonly lastRun: SourceRunRecord | null;
  /**
   * Time of the next run. Null without a schedule, and while the source is paused.
   * @format date-time
   * @example "2026-11-22T03:00:00.000Z"
   */
  readonly nextRunAt: string | null;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-20T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of the last change.
   * @format date-time
   * @example "2026-11-20T09:30:00.000Z"
   */
  readonly updatedAt: string;
}

export interface SourcePage extends PageFields {
  /** The sources, newest first. */
  readonly data: SourceRecord[];
}

const configFields =
  'startUrls sitemaps include exclude maxPages maxDepth respectRobots requestsPerSecond';

export const sourceFields = `id projectId kind name config { ${configFields} } schedule status lastRun { ${runFields} } nextRunAt createdAt updatedAt`;
