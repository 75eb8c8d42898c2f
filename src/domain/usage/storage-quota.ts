import { DomainError } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordStorageDaySql, storageLimitSql } from './usage-sql.ts';

/**
 * Returns SQL that adds the bytes of `bytesSql` to the used storage of the organization. These are the steps `consumed`
 * and `storage_day` of a statement that stores a document. The result is exact, also with concurrent requests.
 * `consumed` returns no row if the limit would be exceeded, or if `conditionSql` is false.
 */
export function consumeStorageSteps({
  organizationSql,
  bytesSql,
  conditionSql,
}: {
  readonly organizationSql: string;
  readonly bytesSql: string;
  readonly conditionSql: string;
}): string {
  const limit = storageLimitSql(organizationSql);
  return `consumed as (
    insert into grounded.storage_usage as storage (organization_id, used_bytes)
    select ${organizationSql}, ${bytesSql} where ${bytesSql} <= ${limit} and ${conditionSql}
    on conflict (organization_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes
      where storage.used_bytes + excluded.used_bytes <= ${limit}
    returning organization_id, used_bytes
  ), storage_day as (${recordStorageDaySql('consumed')}
  )`;
}

export function storageQuotaExceeded(bytes: number): DomainError {
  return new DomainError(
    'QUOTA_EXCEEDED',
    `The plan's storage is used up: ${bytes} more bytes do not fit`,
  );
}

/**
 * Changes the used storage by the difference between the old and the new size of a document. Call it in the transaction
 * that replaces the content, before that transaction changes the document's row.
 *
 * @throws DomainError QUOTA_EXCEEDED when the new size exceeds the storage limit.
 */
export async function resizeStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  fromBytes: number,
  toBytes: number,
): Promise<void> {
  const more = toBytes - fromBytes;
  if (more <= 0) return releaseStorage(db, organizationId, -more);
  const consumed = await runSql(db, consumeStatement, [organizationId, more]);
  if (consumed.length === 0) throw storageQuotaExceeded(more);
}

const consumeStatement = `
  with ${consumeStorageSteps({ organizationSql: '$1::uuid', bytesSql: '$2::bigint', conditionSql: 'true' })}
  select organization_id from consumed`;

/** Subtracts `bytes` from the used storage. Call it in the transaction that deletes the document. */
export async function releaseStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  bytes: number,
): Promise<void> {
  await runSql(
    db,
    `with released as (
       update grounded.storage_usage set used_bytes = used_bytes - $2::bigint where organization_id = $1::uuid
       returning organization_id, used_bytes
     )${recordStorageDaySql('released')}`,
    [organizationId, bytes],
  );
}
