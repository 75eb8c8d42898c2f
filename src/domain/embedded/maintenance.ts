import { quoteIdentifier, quoteLiteral } from './quote-sql.ts';
import type { RunSql } from './session-settings.ts';

type Exclusively = <T>(work: (runSql: RunSql) => Promise<T>) => Promise<T>;

/**
 * Stands in for autovacuum, which needs background processes: without it tables grow with every
 * update, and the planner never learns their size. `fail` gets errors; they are defects.
 */
export function startMaintenance(
  exclusively: Exclusively,
  fail: (error: unknown) => void,
): { stop(): Promise<unknown> } {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const run = () => {
    running ??= vacuumWhatNeedsIt(exclusively, stopping.signal)
      .catch(fail)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

const INTERVAL_MS = 60_000;

/** Vacuums and analyses what needs it, table by table: others have their turn in between. */
export async function vacuumWhatNeedsIt(
  exclusively: Exclusively,
  signal: AbortSignal,
): Promise<void> {
  const tables = await exclusively(async (runSql) => {
    await runSql('select pg_catalog.pg_stat_force_next_flush()');
    return runSql(NEEDY_TABLES);
  });
  for (const [schema, name] of tables) {
    if (signal.aborted) return;
    const table = `${quoteIdentifier(schema ?? '')}.${quoteIdentifier(name ?? '')}`;
    await exclusively(async (runSql) => {
      const [[exists] = []] = await runSql(`select pg_catalog.to_regclass(${quoteLiteral(table)})`);
      if (exists != null) await runSql(`vacuum (analyze) ${table}`);
    });
  }
}

/** With the thresholds of autovacuum: https://www.postgresql.org/docs/18/runtime-config-vacuum.html */
const NEEDY_TABLES = `
  select s.schemaname, s.relname
  from pg_catalog.pg_stat_user_tables s join pg_catalog.pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
     or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
     or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)`;
