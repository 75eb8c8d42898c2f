import type pg from 'pg';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { type DatabaseSettings, openPool } from '../postgres/database-pool.ts';
import { hostNames } from '../postgres/database-url.ts';
import { tolerateConnectionLoss } from '../postgres/tolerate-connection-loss.ts';
import { systemTenant, type Tenant } from '../tenancy/tenant.ts';
import { isReplicaBehind, TenantClient } from '../tenancy/tenant-client.ts';
import { bindPoolToTenant } from '../tenancy/tenant-pool.ts';
import { sleep } from '../wait.ts';
import { type Beat, type ReplicaState, readReplicaState } from './replica-beats.ts';
import { isStatementFault, isWriteOnReplica } from './statement-fault.ts';

/** A statement that a replica runs only if it has replayed the WAL up to `position`. */
export interface ReplicaStatement extends pg.QueryConfig {
  readonly tenant: Tenant;
  /** A position in the WAL (LSN), such as `16/B374D848`. */
  readonly position: string;
}

export interface Replica {
  /** Whether the replica may receive a read whose position is on this timeline. */
  isUsable(timeline: string): boolean;
  /** @throws an error when the replica cannot answer. The caller must then repeat the statement on the primary. */
  query(statement: ReplicaStatement): Promise<pg.QueryResult>;
  stop(): Promise<void>;
}

export interface ReplicaSettings {
  readonly access: DatabaseSettings;
  readonly size: number;
  readonly maxLagMs: number;
  readonly checkIntervalMs: number;
  /** Returns the latest beat of the primary, or null if it is not known. */
  latestBeat(): Beat | null;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** A check that takes longer has failed. Statements that still run on the replica are then repeated on the primary. */
const checkTimeoutMs = 2_000;
/**
 * How long a replica is not used after a read that failed because of the replica. The time doubles with each
 * consecutive failure.
 */
const restMs = 500;
const maxRestMs = 30_000;
/** How long a replica is not used after it was behind in a read. */
const behindRestMs = 100;
/** Maximum number of statements that are reported because they write. Each is reported once. */
const maxReportedWrites = 100;

/** Opens a pool of connections to a replica and starts to check the replica regularly. */
export function openReplica(settings: ReplicaSettings): Replica {
  const { access, size, metrics } = settings;
  const name = hostNames(access.databaseUrl);
  const log = settings.log.child({ replica: name });
  const pool = openReplicaPool(access, size);
  const checkPool = openReplicaPool(access, 1);
  const stopping = new AbortController();
  const running = new Set<(error: Error) => void>();
  const reportedWrites = new Set<string>();
  let state: ReplicaState | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let restsUntil = 0;
  let reported: string | null = 'not checked yet';

  const report = (problem: string | null, error?: unknown) => {
    if (problem === reported) return;
    reported = problem;
    if (problem === null) log.info('read replica in use');
    // Normal if the setting names all hosts of the database.
    else if (problem === notStandby) log.info(`read replica not in use: ${problem}`);
    else log.warn({ err: error }, `read replica not in use: ${problem}`);
  };
  const reportWrite = (statement: ReplicaStatement, error: unknown) => {
    const name = statement.name ?? statement.text;
    if (reportedWrites.has(name) || reportedWrites.size >= maxReportedWrites) return;
    reportedWrites.add(name);
    log.error(
      { err: error, statement: name },
      'bug: a statement that writes was sent to a replica',
    );
  };
  const rest = () => {
    restsUntil = performance.now() + Math.min(restMs * 2 ** failures, maxRestMs);
    failures += 1;
  };
  const check = async () => {
    try {
      state = await withTimeout(readReplicaState(bindPoolToTenant(checkPool, () => systemTenant)));
      checkedAt = performance.now();
      metrics.recordReplicaLag(name, lagOf(state, settings) / 1_000);
      report(problemOf(state, settings));
    } catch (error) {
      if (stopping.signal.aborted) return;
      state = null;
      rest();
      report('the check failed', error);
      for (const stop of running) stop(new Error('The replica does not respond'));
    }
  };
  const checks = (async () => {
    while (!stopping.signal.aborted) {
      await check();
      const restTime = state === null ? restsUntil - performance.now() : 0;
      await sleep(Math.max(settings.checkIntervalMs, restTime), stopping.signal);
    }
  })();

  return {
    isUsable(timeline) {
      const now = performance.now();
      return (
        state?.timeline === timeline &&
        now >= restsUntil &&
        now - checkedAt < Math.max(settings.maxLagMs, 4 * settings.checkIntervalMs) &&
        problemOf(state, settings) === null
      );
    },
    async query(statement) {
      let stop: (error: Error) => void = () => {};
      const stopped = new Promise<never>((_, reject) => {
        stop = reject;
      });
      running.add(stop);
      try {
        const result = await Promise.race([runOn(pool, statement), stopped]);
        failures = 0;
        return result;
      } catch (error) {
        if (isReplicaBehind(error)) restsUntil = performance.now() + behindRestMs;
        else if (isWriteOnReplica(error)) reportWrite(statement, error);
        else if (!isStatementFault(error)) {
          rest();
          log.warn({ err: error }, 'read on a replica failed, repeating it on the primary');
        }
        throw error;
      } finally {
        running.delete(stop);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all([checks, pool.end(), checkPool.end()]);
    },
  };
}

/**
 * Runs a statement on the replica. Does not use `query` of pg's pool, which would also close the connection if the
 * replica is behind.
 */
async function runOn(pool: pg.Pool, statement: ReplicaStatement): Promise<pg.QueryResult> {
  const client = await pool.connect();
  const stopTolerating = tolerateConnectionLoss(client);
  let failure: Error | undefined;
  try {
    return await client.query(statement);
  } catch (error) {
    // After another error the connection is closed: pg counts a named statement as prepared, even if Postgres refused it.
    if (!isReplicaBehind(error)) failure = error instanceof Error ? error : new Error(`${error}`);
    throw error;
  } finally {
    client.release(failure);
    stopTolerating();
  }
}

function openReplicaPool(access: DatabaseSettings, size: number): pg.Pool {
  const pool = openPool(
    { ...access, connectTimeoutMs: checkTimeoutMs },
    { name: 'grounded-chat reads', size, Client: TenantClient },
  );
  // Does nothing, because the next check notices the lost connection.
  pool.on('error', () => {});
  return pool;
}

function lagOf({ beatenAtMs }: ReplicaState, { latestBeat }: ReplicaSettings): number {
  const latest = latestBeat();
  if (latest === null || beatenAtMs === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, latest.beatenAtMs - beatenAtMs);
}

const notStandby = 'it is not a standby';

/** Returns the reason why a replica cannot be used now, or null if it can. */
function problemOf(state: ReplicaState, settings: ReplicaSettings): string | null {
  const latest = settings.latestBeat();
  if (!state.isStandby) return notStandby;
  if (latest === null) return 'the primary does not respond';
  if (state.timeline !== latest.timeline) return 'it does not follow the primary';
  return lagOf(state, settings) > settings.maxLagMs ? 'it lags behind the primary' : null;
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The check took too long')), checkTimeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
