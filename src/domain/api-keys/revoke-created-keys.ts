import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/**
 * Revokes the keys that a key has created or rotated, and the keys that those have created: their secrets are known to
 * everyone who had the revoked key. Returns them. Call it in the transaction of the revocation.
 */
export function revokeCreatedKeys(
  { db }: Pick<Context, 'db'>,
  { id, organizationId }: Pick<ApiKey, 'id' | 'organizationId'>,
  now: Date,
): Promise<RevokedKey[]> {
  return runSql<RevokedKey>(db, revokeStatement, [organizationId, id, now.toISOString()]);
}

type ApiKey = Prisma.ApiKeyGetPayload<object>;
type RevokedKey = Pick<ApiKey, 'id' | 'organizationId' | 'name'>;

const revokeStatement = `
  with recursive created as (
    select id from grounded.api_keys where organization_id = $1::uuid and creator_key_id = $2::uuid
    union
    select key.id from grounded.api_keys key join created on key.creator_key_id = created.id
    where key.organization_id = $1::uuid
  )
  update grounded.api_keys set revoked_at = $3::timestamptz
  where organization_id = $1::uuid and id in (select id from created) and id <> $2::uuid
    and (revoked_at is null or revoked_at > $3::timestamptz)
  returning id, organization_id as "organizationId", name`;

/**
 * Keys that a rotated key has created belong to the new key. If an operator has rotated it, revoking the old key does
 * not revoke them. If the key has rotated itself, it has created the new key, so revoking either revokes them. If another
 * key has rotated it, do not move them: they are no keys of the other one.
 */
export async function moveCreatedKeys(
  { db }: Pick<Context, 'db'>,
  old: Pick<ApiKey, 'id' | 'organizationId'>,
  newKeyId: string,
): Promise<void> {
  await db.apiKey.updateMany({
    where: { organizationId: old.organizationId, creatorKeyId: old.id, id: { not: newKeyId } },
    data: { creatorKeyId: newKeyId },
  });
}
