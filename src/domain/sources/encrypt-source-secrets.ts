import { runSql } from '../../platform/postgres/run-sql.ts';
import { encryptedPrefix, readKeyId } from '../../platform/secrets/secret-box.ts';
import type { Context } from '../context.ts';

const batchSize = 100;

/**
 * Encrypts all tokens and access keys of sources with the first encryption key. Can be interrupted and repeated.
 * Returns how many secrets were encrypted, and how many were removed because the encryption key for them is missing.
 * The sources of removed secrets are paused.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export async function encryptSourceSecrets(
  { pool, secretBox, signal }: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<{ encrypted: number; replaced: number }> {
  const total = { encrypted: 0, replaced: 0 };
  const current = `${encryptedPrefix}${secretBox.currentKeyId}.`;
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const sources: Stored[] = await runSql<Stored>(pool, outdated, [current, after, batchSize]);
    for (const { id, secret } of sources) {
      const isLost = replaceUnreadable && !secretBox.keyIds.includes(readKeyId(secret) ?? '');
      const renewed = isLost ? null : secretBox.encrypt(secretBox.decrypt(secret, id), id);
      const changed = await runSql(pool, renew, [id, secret, renewed]);
      total[isLost ? 'replaced' : 'encrypted'] += changed.length;
    }
    after = sources.at(-1)?.id ?? null;
    if (after === null) return total;
  }
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
