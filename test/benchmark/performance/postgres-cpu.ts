import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { cpuOfTree } from './processes.ts';

/**
 * Returns a function that reads the processor time of the Postgres server in milliseconds. Returns null if the server
 * is on another machine.
 */
export async function postgresCpu(pool: Pool): Promise<(() => number) | null> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = readStatus(rows[0]?.pid ?? 0);
  const server = readStatus(backend?.parent ?? 0);
  if (backend?.name !== 'postgres' || server?.name !== 'postgres') return null;
  const { parent } = backend;
  return () => cpuOfTree(parent) + cpuOfExitedChildren(parent);
}

function readStatus(pid: number): { readonly name: string; readonly parent: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const value = (field: string) => new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
    return { name: value('Name'), parent: Number(value('PPid')) };
  } catch {
    return null;
  }
}

const millisecondsPerTick = 10;

/** Parallel workers of a query exit with it. Then Linux adds their time to that of the server's exited children. */
function cpuOfExitedChildren(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * millisecondsPerTick;
}
