import type { PageFields } from '../request/pagination.ts';
import { runFields, type SourceRunRecord } from './source-run-record.ts';

/**
 * Address and options of a source. Contains only the settings of the source's kind.
 * @example {"startUrls": ["https://example.com/docs/"], "sitemaps": [], "include": [], "exclude": [], "maxPages": 1000, "maxDepth": 10, "respectRobots": true, "requestsPerSecond": 1}
 */
export interface SourceConfigRecord {
  /**
   * Addresses to start from. Only pages on the hosts of these addresses are read.
   * @example ["https://example.com/docs/"]
   */
  readonly startUrls?: string[];
  /**
   * Addresses of sitemaps, in addition to those in robots.txt.
   * @example []
   */
  readonly sitemaps?: string[];
  /**
   * Patterns of pages or files to read. Empty: all.
   * @example ["/docs/*"]
   */
  readonly include?: string[];
  /**
   * Patterns of pages or files to leave out.
   * @example []
   */
  readonly exclude?: string[];
  /**
   * Maximum number of pages per run.
   * @isInt
   * @minimum 1
   * @example 1000
   */
  readonly maxPages?: number;
  /** Maximum number of links from a start address. */
  readonly maxDepth?: number;
  /** Whether robots.txt is respected. */
  readonly respectRobots?: boolean;
  /**
   * Maximum rate of requests to a host.
   * @minimum 0.01
   * @maximum 100
   * @example 1
   */
  readonly requestsPerSecond?: number;
  /**
   * `GIT`: address of the repository.
   * @maxLength 2048
   * @example "https://github.com/example/docs"
   */
  readonly url?: string;
  /**
   * `GIT`: branch. Empty: the default branch.
   * @maxLength 255
   * @example "main"
   */
  readonly branch?: string;
  /**
   * `GIT`: folder in the repository. Empty: all folders.
   * @maxLength 1000
   * @example "docs"
   */
  readonly path?: string;
  /**
   * `GIT`: name that is sent with the token.
   * @maxLength 255
   * @example "git"
   */
  readonly username?: string;
  /**
   * `S3`: address of the server, without the bucket.
   * @maxLength 2048
   * @example "https://s3.eu-central-1.amazonaws.com"
   */
  readonly endpoint?: string;
  /**
   * `S3`: region.
   * @maxLength 64
   * @example "eu-central-1"
   */
  readonly region?: string;
  /**
   * `S3`: name of the bucket.
   * @maxLength 63
   * @example "handbook"
   */
  readonly bucket?: string;
  /**
   * `S3`: beginning of the keys to read. Empty: all keys.
   * @maxLength 1000
   * @example "public/"
   */
  readonly prefix?: string;
  /** `S3`: whether the path of the address contains the bucket. If false, the host name contains it. */
  readonly pathStyle?: boolean;
  /**
   * `S3`: id of the access key. Empty: requests are not signed.
   * @maxLength 128
   * @example "AKIAIOSFODNN7EXAMPLE"
   */
  readonly accessKeyId?: string;
  /**
   * `GIT`, `S3` and `NOTION`: whether a token or a secret access key is stored. The service never returns these secrets.
   */
  readonly hasSecret?: boolean;
  /**
   * `GIT`, `S3` and `NOTION`: maximum number of files or pages.
   * @isInt
   * @minimum 1
   * @maximum 10000
   * @example 1000
   */
  readonly maxFiles?: number;
  /**
   * `NOTION`: ids of the pages and databases to read, with everything below them. Empty: everything that is shared with
   * the integration.
   * @example ["1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d"]
   */
  readonly roots?: string[];
}

export interface SourceRecord {
  readonly id: string;
  readonly projectId: string;
  /**
   * Kind of the source. It cannot change, and decides which fields of `config` are used.
   * @example "WEBSITE"
   */
  readonly kind: 'WEBSITE' | 'GIT' | 'S3' | 'NOTION';
  /**
   * Name of the source in lists.
   * @maxLength 255
   * @example "Help center"
   */
  readonly name: string;
  readonly config: SourceConfigRecord;
  /**
   * @maxLength 100
   * @example "0 3 * * *"
   */
  readonly schedule: string | null;
  readonly confirmsRemovals: boolean;
  /**
   * `RUNNING` while the source is read, `FAILED` if the last run was incomplete.
   * @example "IDLE"
   */
  readonly status: 'IDLE' | 'RUNNING' | 'FAILED' | 'PAUSED';
  readonly lastRun: SourceRunRecord | null;
  /** Time of the next run. Null if there is no schedule, and while the source is paused. */
  readonly nextRunAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SourcePage extends PageFields {
  /** The sources, newest first. */
  readonly data: SourceRecord[];
}

const configFields =
  `startUrls sitemaps include exclude maxPages maxDepth respectRobots requestsPerSecond
  roots url branch path username endpoint region bucket prefix pathStyle accessKeyId hasSecret maxFiles` as const;

export const sourceFields =
  `id projectId kind name config { ${configFields} } schedule confirmsRemovals status lastRun { ${runFields} } nextRunAt createdAt updatedAt` as const;

/** Returns the record without the settings of other kinds of sources. */
export function sourceRecord(source: SelectedSource): SourceRecord {
  const own = Object.entries(source.config).filter(([, value]) => value !== null);
  return { ...source, config: Object.fromEntries(own) };
}

/** A source as GraphQL returns it: settings of other kinds are null. */
interface SelectedSource extends Omit<SourceRecord, 'config'> {
  readonly config: {
    readonly [Name in keyof SourceConfigRecord]-?: NonNullable<SourceConfigRecord[Name]> | null;
  };
}
