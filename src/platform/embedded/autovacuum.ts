import { quoteIdentifier, quoteLiteral } from './quote-sql.ts';
import type { RunSql } from './session-settings.ts';

type RunExclusively = <T>(work: (runSql: RunSql) => Promise<T>) => Promise<T>;

/**
 * Once a minute, vacuums and analyzes the tables that have changed enough. Replaces Postgres' own autovacuum, which
 * cannot run in PGlite, because PGlite has no background processes. Without it, tables would grow with every update and
 * the query planner would have no statistics.
 * @param onError called with unexpected errors, which are bugs.
 */
export function startAutovacuum(
  runExclusively: RunExclusively,
  onError: (error: unknown) => void,
): { stop(): Promise<unknown> } {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const run = () => {
    running ??= vacuumDueTables(runExclusively, stopping.signal)
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

const intervalMs = 60_000;

/** Vacuums and analyzes each due table in its own turn, so that clients can run statements between two tables. */
export async function vacuumDueTables(
  runExclusively: RunExclusively,
  signal: AbortSignal,
): Promise<void> {
  const tables = await runExclusively(async (runSql) => {
    await runSql('select pg_catalog.pg_stat_force_next_flush()');
    return runSql(dueTablesSql);
  });
  for (const [schema, name] of tables) {
    if (signal.aborted) return;
    const table = `${quoteIdentifier(schema ?? '')}.${quoteIdentifier(name ?? '')}`;
    await runExclusively(async (runSql) => {
      const [[exists] = []] = await runSql(`select pg_catalog.to_regclass(${quoteLiteral(table)})`);
      if (exists != null) await runSql(`vacuum (analyze) ${table}`);
    });
  }
}

/**
 * Selects the due tables by Postgres' default thresholds: https://www.postgresql.org/docs/18/runtime-config-vacuum.html
 */
const dueTablesSql = `
  select s.schemaname, s.relname
  from pg_catalog.pg_stat_user_tables s join pg_catalog.pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
     or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
     or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)`;
