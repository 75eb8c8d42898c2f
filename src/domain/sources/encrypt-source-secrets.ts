import { runSql } from '../../platform/postgres/run-sql.ts';
import { encryptOutdated, type SecretRotation } from '../../platform/secrets/encrypt-outdated.ts';
import type { Context } from '../context.ts';

/**
 * Encrypts all tokens and access keys of sources with the first encryption key. Removes those whose encryption key is
 * missing, and pauses their sources.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export function encryptSourceSecrets(
  context: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<SecretRotation> {
  const { pool, secretBox } = context;
  return encryptOutdated<Stored>(context, outdated, async ({ id, secret }) => {
    const isLost = replaceUnreadable && !secretBox.canDecrypt(secret);
    const renewed = isLost ? null : secretBox.encrypt(secretBox.decrypt(secret, id), id);
    const changed = await runSql(pool, renew, [id, secret, renewed]);
    return changed.length === 0 ? null : isLost ? 'replaced' : 'encrypted';
  });
}

interface Stored {
  readonly id: string;
  readonly secret: string;
}

const outdated = `
  select id, secret from grounded.sources
  where ($2::uuid is null or id > $2) and not starts_with(secret, $1) order by id limit $3`;

/** If the secret has changed in the meantime, changes nothing. */
const renew = `
  update grounded.sources
  set secret = $3, is_paused = is_paused or $3::text is null,
    next_run_at = case when $3::text is null then null else next_run_at end
  where id = $1::uuid and secret = $2 returning id`;
