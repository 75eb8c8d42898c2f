import { existsSync } from 'node:fs';
import { hostUrls } from '../platform/postgres/database-url.ts';

/**
 * Finds certificate files that do not exist. Without this check, each connection would fail with an error that contains
 * only the name of the file.
 */
export function findMissingCaFiles(given: Readonly<Record<string, string | undefined>>): string[] {
  return databaseSettings.flatMap((name) =>
    addressesOf(name, given[name] ?? '').flatMap((address) => {
      const file = URL.parse(address.trim())?.searchParams.get('sslrootcert') ?? null;
      return file === null || existsSync(file)
        ? []
        : [`${name} is not usable: its sslrootcert names a file that does not exist, ${file}`];
    }),
  );
}

/** Only replicas have several addresses. The hosts of another setting have the same parameters. */
function addressesOf(name: string, value: string): readonly string[] {
  return name === 'DATABASE_REPLICA_URLS' ? value.split(',') : hostUrls(value).slice(0, 1);
}

const databaseSettings = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'DIRECT_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
] as const;
