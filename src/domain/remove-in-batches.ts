import type { Context } from './context.ts';

/**
 * Runs a statement that deletes at most `batchSize` rows, its last parameter, until it finds fewer: no single one of
 * them holds its locks for long. Throws the signal's reason when it aborts.
 */
export async function removeInBatches(
  { pool }: Pick<Context, 'pool'>,
  { text, values = [], batchSize }: Removal,
  signal: AbortSignal,
): Promise<void> {
  let removed: number | null;
  do {
    signal.throwIfAborted();
    removed = (await pool.query(text, [...values, batchSize])).rowCount;
  } while (removed === batchSize);
}

interface Removal {
  readonly text: string;
  readonly values?: readonly number[];
  readonly batchSize: number;
}
