import type { Pool } from 'pg';
import { runSql } from '../postgres/run-sql.ts';
import { encryptedPrefix, type SecretBox } from './secret-box.ts';

/** Counts of the rows whose secrets were not encrypted with the first encryption key. */
export interface SecretRotation {
  /** Number of rows whose secrets were encrypted again with the first key. */
  readonly encrypted: number;
  /** Number of rows whose secrets were replaced or removed, because the key for decrypting them is missing. */
  readonly replaced: number;
}

const batchSize = 100;

/**
 * Renews the secrets of all rows that `outdated` selects, in batches. Can be interrupted and repeated.
 *
 * `outdated` is SQL. Parameters: $1 the prefix of values that the first key encrypts, $2 the id after which to continue
 * (null at first), $3 the number of rows. `renew` stores the new secrets of a row, and returns null if the row has
 * changed in the meantime.
 */
export async function encryptOutdated<Row extends { readonly id: string }>(
  context: { readonly pool: Pool; readonly secretBox: SecretBox; readonly signal: AbortSignal },
  outdated: string,
  renew: (row: Row) => Promise<keyof SecretRotation | null>,
): Promise<SecretRotation> {
  const { pool, secretBox, signal } = context;
  const current = `${encryptedPrefix}${secretBox.currentKeyId}.`;
  const total = { encrypted: 0, replaced: 0 };
  for (let after: string | null = null; ; ) {
    const rows: Row[] = await runSql<Row>(pool, outdated, [current, after, batchSize]);
    for (const row of rows) {
      signal.throwIfAborted();
      const done = await renew(row);
      if (done !== null) total[done] += 1;
    }
    after = rows.at(-1)?.id ?? null;
    if (after === null) return total;
  }
}
