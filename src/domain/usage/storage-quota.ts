import { DomainError } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { transactionSql } from '../run-sql.ts';
import { noteStorage, storageBytes } from './usage-sql.ts';

/**
 * Takes `bytes` of the organization's storage, exactly, however many do so at once. To be called in the
 * transaction that stores the document. Throws `QUOTA_EXCEEDED` where they are not free.
 */
export async function takeStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  bytes: number,
): Promise<void> {
  const taken = await transactionSql(db).query(
    `with taken as (
       insert into grounded.storage_usage as storage (organization_id, used_bytes)
       select $1::uuid, $2::bigint where $2::bigint <= ${storageBytes('$1::uuid')}
       on conflict (organization_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes
         where storage.used_bytes + excluded.used_bytes <= ${storageBytes('$1::uuid')}
       returning organization_id, used_bytes
     )${noteStorage('taken')}
     returning used_bytes`,
    [organizationId, bytes],
  );
  if (taken.length === 0) {
    throw new DomainError(
      'QUOTA_EXCEEDED',
      `The plan's storage is used up: ${bytes} more bytes do not fit`,
    );
  }
}

/** Gives `bytes` back, in the transaction that removes the document. */
export async function freeStorage(
  db: Prisma.TransactionClient,
  organizationId: string,
  bytes: number,
): Promise<void> {
  await transactionSql(db).query(
    `with freed as (
       update grounded.storage_usage set used_bytes = used_bytes - $2::bigint where organization_id = $1::uuid
       returning organization_id, used_bytes
     )${noteStorage('freed')}`,
    [organizationId, bytes],
  );
}
