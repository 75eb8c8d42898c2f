import { trimTrailingSlashes } from '../../../platform/trim-trailing-slashes.ts';
import { type Selection, selectionOf, selectionProblems } from '../selection.ts';
import {
  integerProblems,
  isWebAddress,
  requireNoProblems,
  type SourceConfigInput,
  textProblems,
} from '../source-config.ts';

/** Configuration of a source of the kind `S3`. A type alias, because Prisma's JSON type does not accept interfaces. */
export type S3Config = Selection & {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Only keys that start with this text are read. Empty: all keys. */
  readonly prefix: string;
  readonly maxFiles: number;
  /** If true, the bucket is in the path of the address. If false, it is in the host. */
  readonly pathStyle: boolean;
  /** Empty for public buckets: requests then have no signature. */
  readonly accessKeyId: string;
};

export const s3Fields = [
  ...['endpoint', 'region', 'bucket', 'prefix', 'include', 'exclude', 'maxFiles', 'pathStyle'],
  ...['accessKeyId', 'secretAccessKey'],
] as readonly (keyof S3Config | 'secretAccessKey')[];

/** See `Connector.requireValidConfig`. */
export function requireValidS3Config(
  input: SourceConfigInput,
  current: Partial<S3Config>,
): S3Config {
  const config: S3Config = {
    endpoint: trimTrailingSlashes(input.endpoint ?? current.endpoint ?? ''),
    region: input.region ?? current.region ?? 'us-east-1',
    bucket: input.bucket ?? current.bucket ?? '',
    prefix: input.prefix ?? current.prefix ?? '',
    ...selectionOf(input, current),
    maxFiles: input.maxFiles ?? current.maxFiles ?? 1_000,
    pathStyle: input.pathStyle ?? current.pathStyle ?? true,
    accessKeyId: input.accessKeyId ?? current.accessKeyId ?? '',
  };
  requireNoProblems([
    ...(isWebAddress(config.endpoint) && new URL(config.endpoint).pathname === '/'
      ? []
      : ['config.endpoint must be an address without a path, such as https://s3.example.com']),
    ...(/^[\w-]{1,64}$/.test(config.region) ? [] : ['config.region must be a name of a region']),
    ...(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(config.bucket)
      ? []
      : ['config.bucket must be the name of a bucket']),
    ...textProblems('config.prefix', config.prefix, 1_000),
    ...selectionProblems(config),
    ...integerProblems('config.maxFiles', config.maxFiles, 1, 10_000),
    ...(/^[\w.+=/@-]{0,128}$/.test(config.accessKeyId)
      ? []
      : ['config.accessKeyId must be the id of an access key']),
  ]);
  return config;
}
