import { runSql } from '../../platform/postgres/run-sql.ts';
import { encryptedPrefix, readKeyId } from '../../platform/secrets/secret-box.ts';
import type { Context } from '../context.ts';
import { generateIdentitySecret } from './user-hash.ts';

const batchSize = 100;

/**
 * Encrypts all identity secrets of widgets with the first encryption key. Can be interrupted and repeated. Returns how
 * many widgets were encrypted, and how many received a new secret that nobody knows, because the key for decrypting the
 * old secret is missing. The verified visitors of the latter are refused until the secret is rotated.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export async function encryptIdentitySecrets(
  { pool, secretBox, signal }: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<{ encrypted: number; replaced: number }> {
  const total = { encrypted: 0, replaced: 0 };
  const current = `${encryptedPrefix}${secretBox.currentKeyId}.`;
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const widgets: Stored[] = await runSql<Stored>(pool, outdated, [current, after, batchSize]);
    for (const { projectId, secret, previous } of widgets) {
      const isLost = replaceUnreadable && isUnreadable(secretBox, secret);
      const isPreviousLost = replaceUnreadable && isUnreadable(secretBox, previous);
      const reencrypt = (value: string | null) =>
        value && secretBox.encrypt(secretBox.decrypt(value, projectId), projectId);
      const renewed = isLost
        ? [secretBox.encrypt(generateIdentitySecret(), projectId), null]
        : [reencrypt(secret), isPreviousLost ? null : reencrypt(previous)];
      const values = [projectId, secret, previous, ...renewed, isLost];
      const changed = await runSql(pool, renew, values);
      total[isLost ? 'replaced' : 'encrypted'] += changed.length;
    }
    after = widgets.at(-1)?.projectId ?? null;
    if (after === null) return total;
  }
}

interface Stored {
  readonly projectId: string;
  readonly secret: string;
  readonly previous: string | null;
}

function isUnreadable({ keyIds }: Context['secretBox'], value: string | null): boolean {
  return value !== null && !keyIds.includes(readKeyId(value) ?? '');
}

const outdated = `
  select project_id as "projectId", identity_secret as secret,
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
