import { readdirSync, readFileSync } from 'node:fs';

/** One file `<version>_<name>.sql`, named and ordered as the Supabase CLI does. */
export type Migration = { file: string; version: string; name: string; sql: string };

/** All migrations, oldest first. @throws Error for a file whose name or version is wrong. */
export function readMigrations(directory: URL = MIGRATIONS): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const match = /^(\d{14})_(.+)\.sql$/.exec(file);
      if (!match) throw new Error(`migration file ${file} is not named <14 digits>_<name>.sql`);
      const sql = readFileSync(new URL(file, directory), 'utf8');
      return { file, version: match[1] ?? '', name: match[2] ?? '', sql };
    });
  const twice = migrations.find(({ version }, i) => migrations[i + 1]?.version === version);
  if (twice) throw new Error(`two migrations have the version ${twice.version}`);
  return migrations;
}

/** The build copies them beside the compiled code. */
const MIGRATIONS = new URL('./migrations/', import.meta.url);
