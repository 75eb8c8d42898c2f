import type { Pool } from 'pg';

/**
 * Deletes rows in batches, so that each statement holds its locks for a short time only. The last parameter of the
 * statement is `batchSize`. Repeats the statement until it deletes fewer than `batchSize` rows. Throws the signal's
 * reason when the signal aborts.
 */
export async function removeInBatches(
  { pool }: { readonly pool: Pool },
  { text, values = [], batchSize }: BatchedDelete,
  signal: AbortSignal,
): Promise<void> {
  let removed: number | null;
  do {
    signal.throwIfAborted();
    removed = (await pool.query(text, [...values, batchSize])).rowCount;
  } while (removed === batchSize);
}

export interface BatchedDelete {
  readonly text: string;
  readonly values?: readonly number[];
  readonly batchSize: number;
}
