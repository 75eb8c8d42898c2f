import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

/** Returns all rows of all tables as text. Skips the system schemas. */
export async function dumpAllRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(name, ...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

/** Returns the output of `pg_dump`. Returns null if `pg_dump` is missing or older than the server. */
export async function pgDump(url: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('pg_dump', ['--inserts', url], {
      maxBuffer: 256_000_000,
    });
    return stdout;
  } catch (error) {
    const text = String(error);
    if (/ENOENT|server version mismatch/.test(text)) return null;
    throw error;
  }
}
