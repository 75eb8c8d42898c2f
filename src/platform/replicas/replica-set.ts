import type { Logger } from 'pino';
import { createCallBatcher } from '../call-batcher.ts';
import type { Metrics } from '../metrics.ts';
import { type DatabaseSettings, openPool } from '../postgres/database-pool.ts';
import { systemTenant } from '../tenancy/tenant.ts';
import { TenantClient } from '../tenancy/tenant-client.ts';
import { bindPoolToTenant } from '../tenancy/tenant-pool.ts';
import { sleep } from '../wait.ts';
import { openReplica, type Replica } from './replica.ts';
import { type Beat, writeBeat } from './replica-beats.ts';
import { readWalPosition, type WalPosition } from './wal-position.ts';

export interface ReplicaSet {
  /**
   * Returns one usable replica for a read whose position is on this timeline. Takes the usable replicas in turn.
   * Returns null if none is usable.
   */
  choose(timeline: string): Replica | null;
  /** Whether at least one replica is usable. */
  hasUsable(): boolean;
  /** Returns a position in the WAL. It is at or after every commit that was confirmed to a client before the call. */
  position(): Promise<WalPosition>;
  stop(): Promise<void>;
}

export interface ReplicaSetSettings {
  readonly primary: DatabaseSettings;
  /** Connection settings, one entry per replica. */
  readonly replicas: readonly Pick<DatabaseSettings, 'databaseUrl' | 'usesTransactionPooler'>[];
  /** Number of connections to each replica. */
  readonly size: number;
  readonly maxLagMs: number;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Maximum milliseconds between two beats, and between two checks. */
const maxIntervalMs = 250;

/** Starts to check the replicas. A replica is used only after its first successful check. */
export function openReplicaSet(settings: ReplicaSetSettings): ReplicaSet {
  const { maxLagMs, metrics, log } = settings;
  const intervalMs = Math.min(maxIntervalMs, maxLagMs / 4);
  const access = { ...settings.primary, statementTimeoutMs: 5_000 };
  // The checks have their own pool. If requests could use all connections, the checks would be late and no replica
  // would be used.
  const pool = openPool(access, { name: 'grounded-chat replicas', size: 2, Client: TenantClient });
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const primary = bindPoolToTenant(pool, () => systemTenant);
  const stopping = new AbortController();
  let beat: (Beat & { readonly seenAt: number }) | null = null;

  const latestBeat = () =>
    beat !== null && performance.now() - beat.seenAt <= maxLagMs + intervalMs ? beat : null;
  const beats = (async () => {
    while (!stopping.signal.aborted) {
      const written = await writeBeat(primary, intervalMs).catch(() => null);
      if (written !== null) beat = { ...written, seenAt: performance.now() };
      await sleep(intervalMs, stopping.signal);
    }
  })();
  const replicas = settings.replicas.map((replica) =>
    openReplica({
      access: { ...settings.primary, ...replica },
      size: settings.size,
      ...{ maxLagMs, checkIntervalMs: intervalMs, latestBeat, metrics, log },
    }),
  );
  const batcher = createCallBatcher<null, WalPosition>(async (calls) => {
    const position = await readWalPosition(primary);
    return calls.map(() => position);
  });
  let turn = 0;
  const choose = (timeline: string) => {
    const usable = replicas.filter((replica) => replica.isUsable(timeline));
    turn += 1;
    return usable[turn % usable.length] ?? null;
  };
  return {
    choose,
    hasUsable() {
      const timeline = latestBeat()?.timeline;
      return timeline !== undefined && replicas.some((replica) => replica.isUsable(timeline));
    },
    position: () => batcher.call('', null),
    async stop() {
      stopping.abort();
      await Promise.all([beats, ...replicas.map((replica) => replica.stop())]);
      await pool.end();
    },
  };
}
