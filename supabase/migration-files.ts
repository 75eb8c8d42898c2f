import { readdirSync, readFileSync } from 'node:fs';

/** A migration file `<version>_<name>.sql`, named and ordered like those of the Supabase CLI. */
export type Migration = { file: string; version: string; name: string; sql: string };

/**
 * Returns all migrations, oldest first.
 * @throws Error when a file name is malformed or a version occurs twice
 */
export function readMigrations(directory: URL = migrationsFolder): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const match = /^(\d{14})_(.+)\.sql$/.exec(file);
      if (!match) throw new Error(`migration file ${file} is not named <14 digits>_<name>.sql`);
      const sql = readFileSync(new URL(file, directory), 'utf8');
      return { file, version: match[1] ?? '', name: match[2] ?? '', sql };
    });
  const duplicate = migrations.find(({ version }, i) => migrations[i + 1]?.version === version);
  if (duplicate) throw new Error(`two migrations have the version ${duplicate.version}`);
  return migrations;
}

/** The build copies this folder next to the compiled code. */
const migrationsFolder = new URL('./migrations/', import.meta.url);
