import type pg from 'pg';
import { runSql } from '../postgres/run-sql.ts';
import { timelineSql } from '../postgres/timeline.ts';

/** The latest beat (time stamp) of the primary, read from the primary or from a replica. */
export interface Beat {
  readonly timeline: string;
  /** Milliseconds since 1970 on the clock of the primary. */
  readonly beatenAtMs: number;
}

/** Writes a beat to the primary, unless any process has just written one. Returns the latest beat. */
export async function writeBeat(primary: pg.Pool, intervalMs: number): Promise<Beat> {
  const [beat] = await runSql<Beat>(primary, writeSql, [intervalMs * 0.8]);
  if (beat === undefined) throw new Error('The query returned no row');
  return beat;
}

const columns = `timeline, (extract(epoch from beaten_at) * 1000)::float8 as "beatenAtMs"`;

/** Writes a beat if the timeline is new or the last beat is older than $1 milliseconds. */
const writeSql = {
  name: 'write-replica-beat',
  text: `
  with written as (
    insert into grounded.replica_beats as last (timeline, beaten_at) values (${timelineSql}, clock_timestamp())
    on conflict (id) do update set timeline = excluded.timeline, beaten_at = excluded.beaten_at
    where last.timeline <> excluded.timeline
      or abs(extract(epoch from excluded.beaten_at - last.beaten_at)) * 1000 >= $1::float8
    returning timeline, beaten_at
  )
  select ${columns} from written
  union all
  select ${columns} from grounded.replica_beats where not exists (select from written)`,
};

export interface ReplicaState extends Partial<Beat> {
  readonly isStandby: boolean;
}

/**
 * Returns the latest beat that a replica has replayed. The beat is missing if the replica has not replayed any beat
 * yet.
 */
export async function readReplicaState(replica: pg.Pool): Promise<ReplicaState> {
  const [state] = await runSql<ReplicaState>(replica, readSql);
  if (state === undefined) throw new Error('The query returned no row');
  return state;
}

const readSql = {
  name: 'read-replica-state',
  text: `select pg_is_in_recovery() as "isStandby", beat.* from (select) one
  left join (select ${columns} from grounded.replica_beats) beat on true`,
};
