import type { ProjectBody } from '../request/read-input.ts';

/**
 * Address and options of a source. In a new source, omitted fields get their defaults. In a change, omitted fields stay
 * unchanged. Settings of other kinds of sources are refused.
 * @example {"startUrls": ["https://example.com/docs/"]}
 */
export interface SourceConfigRequest {
  /**
   * `WEBSITE`: addresses to start from. Only pages on the hosts of these addresses are read. A private address is
   * refused when the source is read.
   * @minItems 1
   * @maxItems 20
   * @example ["https://example.com/docs/"]
   */
  readonly startUrls?: string[];
  /**
   * `WEBSITE`: addresses of sitemaps, in addition to those in robots.txt.
   * @maxItems 20
   * @example ["https://example.com/sitemap.xml"]
   */
  readonly sitemaps?: string[];
  /**
   * Patterns of pages or files to read. A pattern is a path or, for websites, also an address. `*` matches any
   * characters. Default: all.
   * @maxItems 100
   * @example ["/docs/*"]
   */
  readonly include?: string[];
  /**
   * Patterns of pages or files to leave out.
   * @maxItems 100
   * @example ["/docs/archive/*"]
   */
  readonly exclude?: string[];
  /**
   * `WEBSITE`: maximum number of pages per run. Default: 1,000.
   * @isInt
   * @minimum 1
   * @maximum 10000
   * @example 500
   */
  readonly maxPages?: number;
  /**
   * `WEBSITE`: maximum number of links from a start address. Default: 10.
   * @isInt
   * @minimum 0
   * @maximum 50
   * @example 5
   */
  readonly maxDepth?: number;
  /**
   * `WEBSITE`: whether robots.txt is respected. Default: true.
   * @example true
   */
  readonly respectRobots?: boolean;
  /**
   * `WEBSITE`: maximum rate of requests to a host. Default: 1.
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
   * `GIT`: branch. Default: the default branch of the repository.
   * @maxLength 255
   * @example "main"
   */
  readonly branch?: string;
  /**
   * `GIT`: folder in the repository. Default: all folders.
   * @maxLength 1000
   * @example "docs"
   */
  readonly path?: string;
  /**
   * `GIT`: name that is sent with the token. Default: `git`.
   * @maxLength 255
   * @example "git"
   */
  readonly username?: string;
  /**
   * `GIT`: access token of a private repository. `NOTION`: token of the integration. The token is stored encrypted and
   * never returned. An empty text removes the token. Required when the host changes.
   * @maxLength 4096
   * @example "github_pat_11ABCDEFG"
   */
  readonly token?: string;
  /**
   * `S3`: address of the server, without the bucket.
   * @maxLength 2048
   * @example "https://s3.eu-central-1.amazonaws.com"
   */
  readonly endpoint?: string;
  /**
   * `S3`: region. Default: `us-east-1`.
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
   * `S3`: beginning of the keys to read. Default: all keys.
   * @maxLength 1000
   * @example "public/"
   */
  readonly prefix?: string;
  /**
   * `S3`: whether the path of the address contains the bucket. If false, the host name contains it. Default: true.
   * @example true
   */
  readonly pathStyle?: boolean;
  /**
   * `S3`: id of the access key. Default: requests are not signed.
   * @maxLength 128
   * @example "AKIAIOSFODNN7EXAMPLE"
   */
  readonly accessKeyId?: string;
  /**
   * `S3`: secret of the access key. The secret is stored encrypted and never returned. An empty text removes the
   * secret. Required when the endpoint changes.
   * @maxLength 4096
   * @example "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
   */
  readonly secretAccessKey?: string;
  /**
   * `GIT`, `S3` and `NOTION`: maximum number of files or pages. Default: 1,000.
   * @isInt
   * @minimum 1
   * @maximum 10000
   * @example 1000
   */
  readonly maxFiles?: number;
  /**
   * `NOTION`: ids or links of the pages and databases to read, with everything below them. Default: everything that is
   * shared with the integration.
   * @maxItems 50
   * @example ["https://www.notion.so/Handbook-1a2b3c4d5e6f4a1b8c2d3e4f5a6b7c8d"]
   */
  readonly roots?: string[];
}

export interface CreateSourceRequest extends ProjectBody {
  /**
   * Kind of the source. It cannot change later, and decides which fields of `config` are allowed.
   * @example "WEBSITE"
   */
  readonly kind: 'WEBSITE' | 'GIT' | 'S3' | 'NOTION';
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
   * Cron expression with five fields, in UTC. Default: the source is read only on request.
   * @maxLength 100
   * @example "0 3 * * *"
   */
  readonly schedule?: string;
  /**
   * If true, and a run would delete more than a third of the documents and more than five, the run keeps them
   * until the deletion is confirmed. Default: true.
   * @example true
   */
  readonly confirmsRemovals?: boolean;
}

export interface UpdateSourceRequest
  extends ProjectBody,
    Partial<Pick<CreateSourceRequest, 'name'>> {
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
  /**
   * If true, and a run would delete more than a third of the documents and more than five, the run keeps them
   * until the deletion is confirmed.
   * @example true
   */
  readonly confirmsRemovals?: boolean;
}

export interface SyncSourceRequest extends ProjectBody {
  /**
   * If true, the run deletes all documents that are no longer in the source, even if there are many. If a run is
   * already in progress, this applies to that run. Default: false.
   * @example false
   */
  readonly confirmRemovals?: boolean;
}
