import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/**
 * Revokes the keys that a key has created or rotated, and then the keys that those keys have created, and so on.
 * Everyone who had the revoked key may know their secrets. Returns the keys that were revoked. Call it in the
 * transaction of the revocation.
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
 * Makes the new key the creator of all keys that the rotated key has created. If an operator made the rotation,
 * revoking the old key then does not revoke these keys. If the key rotated itself, it is the creator of the new key, so
 * revoking either key revokes them. Do not call this if another key made the rotation, because that key did not create
 * them.
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
