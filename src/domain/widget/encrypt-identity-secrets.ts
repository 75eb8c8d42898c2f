import { runSql } from '../../platform/postgres/run-sql.ts';
import { encryptOutdated, type SecretRotation } from '../../platform/secrets/encrypt-outdated.ts';
import type { Context } from '../context.ts';
import { generateIdentitySecret } from './user-hash.ts';

/**
 * Encrypts all identity secrets of widgets with the first encryption key. Replaces those whose encryption key is missing
 * by new ones that nobody knows: verified visitors are refused until the secret is rotated.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export function encryptIdentitySecrets(
  context: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<SecretRotation> {
  const { pool, secretBox } = context;
  const isLost = (value: string) => replaceUnreadable && !secretBox.canDecrypt(value);
  return encryptOutdated<Stored>(context, outdated, async ({ id, secret, previous }) => {
    const reencrypt = (value: string) => secretBox.encrypt(secretBox.decrypt(value, id), id);
    const renewed = isLost(secret)
      ? [secretBox.encrypt(generateIdentitySecret(), id), null]
      : [reencrypt(secret), previous === null || isLost(previous) ? null : reencrypt(previous)];
    const values = [id, secret, previous, ...renewed, isLost(secret)];
    const changed = await runSql(pool, renew, values);
    return changed.length === 0 ? null : isLost(secret) ? 'replaced' : 'encrypted';
  });
}

interface Stored {
  /** Id of the project. */
  readonly id: string;
  readonly secret: string;
  readonly previous: string | null;
}

const outdated = `
  select project_id as id, identity_secret as secret,
    case when previous_identity_secret_expires_at > now() then previous_identity_secret end as previous
  from grounded.widgets
  where ($2::uuid is null or project_id > $2) and identity_secret is not null
    and (not starts_with(identity_secret, $1)
      or not starts_with(previous_identity_secret, $1) and previous_identity_secret_expires_at > now())
  order by project_id limit $3`;

/**
 * If a secret has changed in the meantime, changes nothing. If a secret is lost, its version increases, which ends the
 * visits of its visitors.
 */
const renew = `
  update grounded.widgets
  set identity_secret = $4, previous_identity_secret = $5,
    identity_version = identity_version + case when $6::boolean then 2 else 0 end
  where project_id = $1::uuid and identity_secret = $2
    and case when previous_identity_secret_expires_at > now() then previous_identity_secret end is not distinct from $3
  returning project_id`;
