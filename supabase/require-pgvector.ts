import type { Client } from 'pg';
import { DomainError } from '../src/platform/errors.ts';

/**
 * Checks that pgvector 0.8 or later is installed or available.
 * @throws DomainError UNAVAILABLE when pgvector is missing or too old
 */
export async function requirePgvector(client: Client): Promise<void> {
  const { rows } = await client.query<{ available: string; installed: string | null }>(
    `select default_version as available, installed_version as installed
     from pg_available_extensions where name = 'vector'`,
  );
  const vector = rows[0];
  if (!vector) {
    throw new DomainError(
      'UNAVAILABLE',
      'The Postgres server lacks the extension pgvector, version 0.8 or later. Install it: ' +
        'https://github.com/pgvector/pgvector#installation',
    );
  }
  const { available, installed } = vector;
  if (installed !== null && isUnsupported(installed) && !isUnsupported(available)) {
    throw new DomainError(
      'UNAVAILABLE',
      `The database uses pgvector ${installed}, and needs 0.8 or later. Run in it: ` +
        'alter extension vector update;',
    );
  }
  if (isUnsupported(installed ?? available)) {
    throw new DomainError(
      'UNAVAILABLE',
      `The Postgres server has pgvector ${installed ?? available}, and needs 0.8 or later. ` +
        'Upgrade it: https://github.com/pgvector/pgvector#upgrading',
    );
  }
}

/**
 * Whether the version is below 0.8.0, which added iterative index scans. Without them, searches in small projects find
 * nothing.
 */
function isUnsupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < 8;
}
