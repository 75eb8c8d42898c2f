import { DomainError, toStorageExceeded } from '../../platform/errors.ts';
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

/** Flat number of bytes for a message, besides its text. */
const messageBytes = 200;

/** Returns the bytes that a message of a person counts: such a message consumes no message allowance. */
export function storedBytesOf(content: string): number {
  return messageBytes + Buffer.byteLength(content);
}

/** Returns SQL for `storedBytesOf`. */
export function storedBytesSql(contentSql: string): string {
  return `${messageBytes} + octet_length(${contentSql})`;
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
  try {
    await runSql(db, changeSql, [organizationId, toBytes - fromBytes]);
  } catch (error) {
    throw toStorageExceeded(error) ?? error;
  }
}

/** Subtracts `bytes` from the used storage. Call it in the transaction that deletes the document. */
export async function releaseStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  bytes: number,
): Promise<void> {
  await runSql(db, changeSql, [organizationId, -bytes]);
}

const changeSql = 'select from grounded.change_storage($1::uuid, $2::bigint)';
