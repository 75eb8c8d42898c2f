import type { ProjectBody } from './read-input.ts';

/**
 * What a source reads, and how. Omitted fields have their defaults, or stay unchanged.
 * @example {"startUrls": ["https://example.com/docs/"]}
 */
export interface SourceConfigRequest {
  /**
   * Addresses to start from. Only pages of their hosts are read. Private addresses are refused when they are read.
   * @minItems 1
   * @maxItems 20
   * @example ["https://example.com/docs/"]
   */
  readonly startUrls?: string[];
  /**
   * Addresses of sitemaps, in addition to those in robots.txt.
   * @maxItems 20
   * @example ["https://example.com/sitemap.xml"]
   */
  readonly sitemaps?: string[];
  /**
   * Patterns of pages to read: paths or addresses, in which `*` stands for any characters. Default: all pages.
   * @maxItems 100
   * @example ["/docs/*"]
   */
  readonly include?: string[];
  /**
   * Patterns of pages to leave out.
   * @maxItems 100
   * @example ["/docs/archive/*"]
   */
  readonly exclude?: string[];
  /**
   * Maximum number of pages per run. Default: 1,000.
   * @isInt
   * @minimum 1
   * @maximum 10000
   * @example 500
   */
  readonly maxPages?: number;
  /**
   * Maximum number of links from a start address. Default: 10.
   * @isInt
   * @minimum 0
   * @maximum 50
   * @example 5
   */
  readonly maxDepth?: number;
  /**
   * Whether robots.txt is respected. Default: true.
   * @example true
   */
  readonly respectRobots?: boolean;
  /**
   * Maximum rate of requests to a host. Default: 1.
   * @minimum 0.01
   * @maximum 100
   * @example 1
   */
  readonly requestsPerSecond?: number;
}

export interface CreateSourceRequest extends ProjectBody {
  /**
   * What the source reads.
   * @example "WEBSITE"
   */
  readonly kind: 'WEBSITE';
  /**
   * Name of the source in lists.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Help center"
   */
  readonly name: string;
  readonly config: SourceConfigRequest;
  /**
   * Cron expression with five fields, in UTC. Default: the source is read on request only.
   * @maxLength 100
   * @example "0 3 * * *"
   */
  readonly schedule?: string;
}

export interface UpdateSourceRequest extends ProjectBody {
  /**
   * Name of the source in lists.
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Help center"
   */
  readonly name?: string;
  readonly config?: SourceConfigRequest;
  /**
   * Cron expression with five fields, in UTC. Empty: no schedule.
   * @maxLength 100
   * @example "0 3 * * *"
   */
  readonly schedule?: string;
  /**
   * True pauses the source, false resumes it.
   * @example false
   */
  readonly isPaused?: boolean;
}
