import type { StoredSourceConfig } from '../../domain/sources/source-config.ts';
import { builder } from '../builder.ts';

/**
 * Fields of the configuration, grouped by type. Each description starts with the kinds of source that have the field.
 */
const lists = {
  startUrls: 'WEBSITE: 1 to 20 addresses to start from. Only pages of their hosts are read.',
  sitemaps: 'WEBSITE: at most 20 addresses of sitemaps, in addition to those in robots.txt.',
  include:
    'At most 100 patterns of pages or files to read: paths such as `/docs/*`, for websites also addresses. `*` matches any characters. Default: all.',
  exclude: 'At most 100 patterns of pages or files to leave out.',
  roots:
    'NOTION: at most 50 ids or links of pages and databases, which are read with everything below them. Default: all that is shared with the integration.',
} as const;
const integers = {
  maxPages: 'WEBSITE: maximum number of pages per run, 1 to 10,000. Default: 1,000.',
  maxDepth: 'WEBSITE: maximum number of links from a start address, 0 to 50. Default: 10.',
  maxFiles: 'GIT, S3 and NOTION: maximum number of files or pages, 1 to 10,000. Default: 1,000.',
} as const;
const booleans = {
  respectRobots: 'WEBSITE: whether robots.txt is respected. Default: true.',
  pathStyle:
    'S3: whether the bucket is in the path of the address, and not in its host. Default: true.',
} as const;
const strings = {
  url: 'GIT: address of the repository, with https.',
  branch: 'GIT: branch. Default: the default branch of the repository.',
  path: 'GIT: folder in the repository. Default: all folders.',
  username: 'GIT: name that is sent with the token. Default: `git`.',
  endpoint: 'S3: address of the server, without the bucket.',
  region: 'S3: region. Default: `us-east-1`.',
  bucket: 'S3: name of the bucket.',
  prefix: 'S3: beginning of the keys to read. Default: all keys.',
  accessKeyId: 'S3: id of the access key. Default: requests are not signed.',
} as const;
const secrets = {
  token:
    'GIT: access token of a private repository. NOTION: token of the integration. Empty: removes it. It is never returned.',
  secretAccessKey: 'S3: secret of the access key. Empty: removes it. It is never returned.',
} as const;
const requestsPerSecond =
  'WEBSITE: maximum rate of requests to a host, 0.01 to 100 per second. Default: 1.';

type Names<T> = (keyof T & string)[];
const namesOf = <T extends object>(fields: T) => Object.keys(fields) as Names<T>;

/** Calls `create` for each field. */
function mapFields<T extends Readonly<Record<string, string>>, Field>(
  fields: T,
  create: (name: keyof T & string, description: string) => Field,
): Record<keyof T & string, Field> {
  const entries = namesOf(fields).map((name) => [name, create(name, fields[name] ?? '')] as const);
  return Object.fromEntries(entries) as Record<keyof T & string, Field>;
}

export const SourceConfig = builder.objectRef<StoredSourceConfig>('SourceConfig').implement({
  description: 'Address and options of a source. Settings of other kinds of sources are null.',
  fields: (t) => ({
    ...mapFields(lists, (name, description) =>
      t.stringList({ nullable: true, description, resolve: (config) => config[name] ?? null }),
    ),
    ...mapFields(integers, (name, description) =>
      t.int({ nullable: true, description, resolve: (config) => config[name] ?? null }),
    ),
    ...mapFields(booleans, (name, description) =>
      t.boolean({ nullable: true, description, resolve: (config) => config[name] ?? null }),
    ),
    ...mapFields(strings, (name, description) =>
      t.string({ nullable: true, description, resolve: (config) => config[name] ?? null }),
    ),
    requestsPerSecond: t.float({
      nullable: true,
      description: requestsPerSecond,
      resolve: (config) => config.requestsPerSecond ?? null,
    }),
    hasSecret: t.boolean({
      nullable: true,
      description: 'GIT, S3 and NOTION: whether a token or a secret access key is stored.',
      resolve: (config) => config.hasSecret ?? null,
    }),
  }),
});

export const SourceConfigInput = builder.inputType('SourceConfigInput', {
  description:
    'Address and options of a source. Omitted fields have their defaults or stay unchanged. Settings of other kinds of sources are refused.',
  fields: (t) => ({
    ...mapFields(lists, (_, description) => t.stringList({ description })),
    ...mapFields(integers, (_, description) => t.int({ description })),
    ...mapFields(booleans, (_, description) => t.boolean({ description })),
    ...mapFields(strings, (_, description) => t.string({ description })),
    ...mapFields(secrets, (_, description) => t.string({ description })),
    requestsPerSecond: t.float({ description: requestsPerSecond }),
  }),
});
