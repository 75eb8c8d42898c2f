import { existsSync } from 'node:fs';

/**
 * Finds certificate files that do not exist. Without this check, each connection would fail with an error that contains
 * only the name of the file.
 */
export function findMissingCaFiles(given: Readonly<Record<string, string | undefined>>): string[] {
  return databaseSettings.flatMap((name) =>
    (given[name] ?? '').split(',').flatMap((address) => {
      const file = URL.parse(address.trim())?.searchParams.get('sslrootcert') ?? null;
      return file === null || existsSync(file)
        ? []
        : [`${name} is not usable: its sslrootcert names a file that does not exist, ${file}`];
    }),
  );
}

const databaseSettings = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'DIRECT_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
] as const;
