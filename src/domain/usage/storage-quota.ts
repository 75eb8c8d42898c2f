import { DomainError } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordStorageDaySql, storageLimitSql } from './usage-sql.ts';

/**
 * Adds `bytes` to the organization's used storage. Exact under concurrency. Call it in the transaction that stores
 * the document.
 * @throws DomainError QUOTA_EXCEEDED when the limit would be exceeded
 */
export async function consumeStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  bytes: number,
): Promise<void> {
  const consumed = await runSql(
    db,
    `with consumed as (
       insert into grounded.storage_usage as storage (organization_id, used_bytes)
       select $1::uuid, $2::bigint where $2::bigint <= ${storageLimitSql('$1::uuid')}
       on conflict (organization_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes
         where storage.used_bytes + excluded.used_bytes <= ${storageLimitSql('$1::uuid')}
       returning organization_id, used_bytes
     )${recordStorageDaySql('consumed')}
     returning used_bytes`,
    [organizationId, bytes],
  );
  if (consumed.length === 0) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      `The plan's storage is used up: ${bytes} more bytes do not fit`,
    );
  }
}

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
