import type pg from 'pg';
import { runSql } from '../postgres/run-sql.ts';

/** A place in the write-ahead log of the primary. Positions of different timelines cannot be compared. */
export interface WalPosition {
  /**
   * Timeline of the primary: the first eight digits of the names of its WAL files. It changes when a standby becomes
   * the primary.
   */
  readonly timeline: string;
  /** Log sequence number, such as `16/B374D848`. */
  readonly lsn: string;
}

/**
 * Returns a position of the primary. It is at or after every commit that was confirmed to a client before the call.
 * @throws an error of Postgres if the server is a standby.
 */
export async function readWalPosition(primary: pg.Pool): Promise<WalPosition> {
  const [position] = await runSql<WalPosition>(primary, readSql);
  if (position === undefined) throw new Error('The query returned no row');
  return position;
}

/**
 * The position up to which commits may have been confirmed to clients. Postgres confirms a commit after the flush, or
 * earlier if `synchronous_commit` is off.
 */
const currentLsn = `
  case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end`;

const readSql = {
  name: 'read-wal-position',
  text: `select lsn::text, left(pg_walfile_name(lsn), 8) as timeline from (select ${currentLsn} as lsn) p`,
};

/** Returns the latest of these positions, or null if they are not all on the same timeline. */
export function furthest(positions: readonly WalPosition[]): WalPosition | null {
  let [last] = positions;
  for (const position of positions) {
    if (position.timeline !== last?.timeline) return null;
    if (lsnNumber(position.lsn) > lsnNumber(last.lsn)) last = position;
  }
  return last ?? null;
}

function lsnNumber(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
