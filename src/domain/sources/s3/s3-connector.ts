import { createS3Client } from '../../../platform/s3/s3-client.ts';
import {
  type Connector,
  type ItemReader,
  maxFileBytes,
  SourceError,
  type SourceReading,
} from '../connector.ts';
import { createPathFilter } from '../items/path-filter.ts';
import { readItems } from '../items/read-items.ts';
import { originOf } from '../source-config.ts';
import { requireValidS3Config, type S3Config, s3Fields } from './s3-config.ts';

/** Connector for buckets of Amazon S3 and compatible servers. Their objects become documents. */
export const s3Connector: Connector = {
  fields: s3Fields,
  secretField: 'secretAccessKey',
  isSecretRequired: false,
  secretTarget: (config) => originOf((config as Partial<S3Config>).endpoint),
  requireValidConfig: (input, current) => requireValidS3Config(input, current as Partial<S3Config>),
  read: (reading) =>
    readItems(reading, createS3Reader, (reading.source.config as S3Config).maxFiles),
};

/** Maximum number of pages of the list of objects. This allows for a million objects. */
const maxPages = 1_000;

function createS3Reader({ context, source, secret }: SourceReading): ItemReader {
  const config = source.config as S3Config;
  const { prefix, accessKeyId } = config;
  const key = accessKeyId === '' || secret === null ? null : { id: accessKeyId, secret };
  const client = createS3Client(context.webClient, { ...config, key }, context.signal);
  const isWanted = createPathFilter(config);
  return {
    async *list() {
      let after: string | null = null;
      for (let pages = 0; ; pages += 1) {
        if (pages >= maxPages)
          throw new SourceError('The bucket has too many objects: set a prefix');
        const page = await client.list(prefix, after);
        if ('reason' in page) throw new SourceError(page.reason);
        for (const { key, etag } of page.objects) {
          if (!isWanted(key)) continue;
          const name = key.slice(key.lastIndexOf('/') + 1);
          yield { id: key, version: etag, path: key, name, sourceUrl: null };
        }
        after = page.next;
        if (after === null) return;
      }
    },
    async *read(items) {
      for (const item of items) {
        const body = await client.get(item.id, maxFileBytes);
        if (Buffer.isBuffer(body)) yield { item, content: { type: 'file', body } };
        else yield { item, content: { type: 'refused', ...body } };
      }
    },
  };
}
